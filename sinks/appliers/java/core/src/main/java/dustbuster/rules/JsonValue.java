package dustbuster.rules;

import java.util.List;
import java.util.Map;

/** A value of JSON, for readers of dustbuster's other formats. Immutable. */
public final class JsonValue {
    private final Object value; // as Json reads it

    private JsonValue(Object value) {
        this.value = value;
    }

    /** Reads one value, strictly. */
    public static JsonValue parse(String text) throws InvalidListException {
        return new JsonValue(Json.read(text));
    }

    /** Returns a member of an object. */
    public JsonValue member(String name) throws InvalidListException {
        if (value instanceof Map<?, ?> members && members.containsKey(name)) {
            return new JsonValue(members.get(name));
        }
        throw new InvalidListException("no member \"" + name + "\"");
    }

    /** Returns the elements of an array. */
    public List<JsonValue> elements() throws InvalidListException {
        if (value instanceof List<?> list) {
            return list.stream().map(JsonValue::new).toList();
        }
        throw new InvalidListException("no array");
    }

    /** Returns a string. */
    public String text() throws InvalidListException {
        if (value instanceof String text) {
            return text;
        }
        throw new InvalidListException("no string");
    }

    /** Returns a whole number. */
    public long whole() throws InvalidListException {
        if (value instanceof Long number) {
            return number;
        }
        throw new InvalidListException("no whole number");
    }
}
