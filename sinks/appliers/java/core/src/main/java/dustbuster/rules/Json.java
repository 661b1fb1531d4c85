package dustbuster.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict reader of JSON (RFC 8259): a {@code Map}, {@code List}, {@code String}, {@code Boolean},
 * {@code Long} (a whole number without fraction and exponent), {@code Double}, or null. An object
 * lacks the members that are null; of several members of one name, the last counts. Anything
 * after the value is an error.
 */
final class Json {
    private static final int DEEPEST = 32;
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one value. The error says what is wrong, and where. */
    static Object read(String text) throws InvalidListException {
        Json in = new Json(text);
        Object value = in.value(0);
        in.skipBlanks();
        if (in.at < text.length()) {
            throw in.error("text after the value");
        }
        return value;
    }

    private Object value(int depth) throws InvalidListException {
        skipBlanks();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) throws InvalidListException {
        Map<String, Object> members = new LinkedHashMap<>();
        elements('}', depth, () -> {
            skipBlanks();
            if (peek() != '"') {
                throw error("no name of a member");
            }
            String name = string();
            skipBlanks();
            expect(':');
            Object value = value(depth + 1);
            members.remove(name);
            if (value != null) {
                members.put(name, value);
            }
        });
        return members;
    }

    private List<Object> array(int depth) throws InvalidListException {
        List<Object> values = new ArrayList<>();
        elements(']', depth, () -> values.add(value(depth + 1)));
        return values;
    }

    /** Reads one element. */
    private interface Element {
        void read() throws InvalidListException;
    }

    /** Reads elements with commas between them, up to an end. */
    private void elements(char end, int depth, Element element) throws InvalidListException {
        if (depth >= DEEPEST) {
            throw error("more than " + DEEPEST + " objects and arrays within each other");
        }
        at++;
        skipBlanks();
        if (peek() != end) {
            element.read();
            for (skipBlanks(); peek() != end; skipBlanks()) {
                expect(',');
                element.read();
            }
        }
        at++;
    }

    private String string() throws InvalidListException {
        int from = ++at;
        StringBuilder out = null;
        while (true) {
            char c = peek();
            if (c < ' ') {
                throw error("a string without end, or a control character in a string");
            }
            if (c == '"') {
                String rest = text.substring(from, at++);
                return out == null ? rest : out.append(rest).toString();
            }
            at++;
            if (c == '\\') {
                out = out == null ? new StringBuilder() : out;
                out.append(text, from, at - 1).append(escaped());
                from = at;
            }
        }
    }

    private char escaped() throws InvalidListException {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> throw error("an unknown escape");
        };
    }

    private char unit() throws InvalidListException {
        int value = 0;
        for (int i = 0; i < 4; i++, at++) {
            if (!Bytes.isHex(peek())) {
                throw error("an escape without four hexadecimal digits");
            }
            value = value << 4 | Bytes.hex(peek());
        }
        return (char) value;
    }

    private Object number() throws InvalidListException {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) {
            throw error("no value");
        }
        at = number.end();
        try {
            return number.group(1) == null && number.group(2) == null ? (Object) Long.valueOf(number.group()) : Double.valueOf(number.group());
        } catch (NumberFormatException e) { // too large for a Long
            return Double.valueOf(number.group());
        }
    }

    private Object word(String word, Object value) throws InvalidListException {
        if (!text.startsWith(word, at)) {
            throw error("no value");
        }
        at += word.length();
        return value;
    }

    private void expect(char c) throws InvalidListException {
        if (peek() != c) {
            throw error("no " + c);
        }
        at++;
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** Returns the next character, or NUL at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private InvalidListException error(String what) {
        return new InvalidListException("not JSON: " + what + " at character " + (at + 1));
    }

    /** Returns a text as a JSON string. */
    static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
