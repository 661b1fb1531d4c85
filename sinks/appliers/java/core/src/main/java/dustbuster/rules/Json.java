package dustbuster.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict reader of JSON (RFC 8259): a {@code Map}, {@code List}, {@code String}, {@code Boolean},
 * {@code Long} (a whole number without fraction and exponent), {@code Double}, or null. An object
 * lacks the members that are null; of several members of one name, the last counts. Anything
 * after the value is an error.
 */
final class Json {
    private static final int DEEPEST = 32;

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
        switch (peek()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object(int depth) throws InvalidListException {
        checkDepth(depth);
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        skipBlanks();
        if (peek() == '}') {
            at++;
            return members;
        }
        while (true) {
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
            skipBlanks();
            if (peek() == '}') {
                at++;
                return members;
            }
            expect(',');
        }
    }

    private void checkDepth(int depth) throws InvalidListException {
        if (depth >= DEEPEST) {
            throw error("more than " + DEEPEST + " objects and arrays within each other");
        }
    }

    private List<Object> array(int depth) throws InvalidListException {
        checkDepth(depth);
        List<Object> values = new ArrayList<>();
        at++;
        skipBlanks();
        if (peek() == ']') {
            at++;
            return values;
        }
        while (true) {
            values.add(value(depth + 1));
            skipBlanks();
            if (peek() == ']') {
                at++;
                return values;
            }
            expect(',');
        }
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
        switch (c) {
            case '"', '\\', '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                return unit();
            default:
                throw error("an unknown escape");
        }
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
        int from = at;
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        boolean whole = true;
        if (peek() == '.') {
            at++;
            digits();
            whole = false;
        }
        if ((peek() | 0x20) == 'e') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
            whole = false;
        }
        String digits = text.substring(from, at);
        try {
            return whole ? (Object) Long.valueOf(digits) : Double.valueOf(digits);
        } catch (NumberFormatException e) { // too large for a Long
            return Double.valueOf(digits);
        }
    }

    private void digits() throws InvalidListException {
        if (!Bytes.isDigit(peek())) {
            throw error("no value");
        }
        while (Bytes.isDigit(peek())) {
            at++;
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
