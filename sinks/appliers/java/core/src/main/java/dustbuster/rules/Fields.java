package dustbuster.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The members of a JSON object, read with their types. */
record Fields(Map<String, Object> members) {
    private static final int LONGEST_TEXT = 2048; // bytes
    private static final double LARGEST = 0x1p53; // whole numbers below are exact

    @SuppressWarnings("unchecked") // Json makes objects of no other type
    static Fields of(Object value, String what) throws InvalidListException {
        if (value instanceof Map) {
            return new Fields((Map<String, Object>) value);
        }
        throw new InvalidListException(what + " is not an object");
    }

    boolean has(String name) {
        return members.get(name) != null;
    }

    /** Returns a string as a byte string, or null if it is absent. */
    String string(String name) throws InvalidListException {
        Object value = members.get(name);
        if (value == null) {
            return null;
        }
        return bytes(value, name);
    }

    String need(String name) throws InvalidListException {
        return need(string(name), name);
    }

    /** Returns a text of URLs: bytes that can stand in a URL, at most 2,048. */
    String text(String name) throws InvalidListException {
        return checked(string(name), name);
    }

    String needText(String name) throws InvalidListException {
        return need(text(name), name);
    }

    List<String> texts(String name) throws InvalidListException {
        some(name);
        List<String> texts = strings(name);
        for (String text : texts) {
            checked(text, name);
        }
        return texts;
    }

    List<String> strings(String name) throws InvalidListException {
        List<String> texts = new ArrayList<>();
        for (Object value : list(name)) {
            texts.add(bytes(value, name));
        }
        return texts;
    }

    /** Returns a list, empty if it is absent. A list that is there has elements. */
    List<?> some(String name) throws InvalidListException {
        if (has(name) && list(name).isEmpty()) {
            throw new InvalidListException("\"" + name + "\" is an empty array");
        }
        return list(name);
    }

    List<?> list(String name) throws InvalidListException {
        Object value = members.get(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw new InvalidListException("\"" + name + "\" is not an array");
    }

    /** Returns a boolean, or null if it is absent. */
    Boolean bool(String name) throws InvalidListException {
        Object value = members.get(name);
        if (value == null || value instanceof Boolean) {
            return (Boolean) value;
        }
        throw new InvalidListException("\"" + name + "\" is neither true nor false");
    }

    boolean needBool(String name) throws InvalidListException {
        return need(bool(name), name);
    }

    long needWhole(String name) throws InvalidListException {
        Object value = need(members.get(name), name);
        if (value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue())
                && Math.abs(number.doubleValue()) < LARGEST) {
            return number.longValue();
        }
        throw new InvalidListException("\"" + name + "\" is not a whole number");
    }

    private static <T> T need(T value, String name) throws InvalidListException {
        if (value == null) {
            throw new InvalidListException("no member \"" + name + "\"");
        }
        return value;
    }

    private static String bytes(Object value, String name) throws InvalidListException {
        if (value instanceof String text) {
            String bytes = Bytes.of(text);
            if (bytes != null) {
                return bytes;
            }
        }
        throw new InvalidListException("\"" + name + "\" is not a string");
    }

    static String checked(String text, String name) throws InvalidListException {
        if (text == null) {
            return null;
        }
        if (text.length() > LONGEST_TEXT) {
            throw new InvalidListException("\"" + name + "\" has more than 2048 bytes");
        }
        for (int i = 0; i < text.length(); i++) {
            if (!Bytes.isPlain(text.charAt(i)) || text.charAt(i) == '#') {
                throw new InvalidListException("\"" + name + "\" holds a byte that no URL holds");
            }
        }
        return text;
    }
}
