package dustbuster.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One case of docs/conformance. */
public record Case(String name, String list, String host, String url, String canonical, List<String> steps, boolean refused) {
    /** Reads all cases of the folder that the property conformance names. */
    public static List<Case> all() throws IOException {
        List<Case> cases = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("conformance")))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".jsonl") && !f.endsWith("lists.jsonl") && !f.endsWith("sizes.jsonl")).sorted().toList()) {
                Files.readAllLines(file).forEach(line -> cases.add(read(line)));
            }
        }
        return cases;
    }

    private static Case read(String line) {
        try {
            Fields in = Fields.of(Json.read(line), "case");
            StringBuilder list = new StringBuilder();
            in.list("rules").forEach(record -> list.append(write(record)).append('\n'));
            return new Case(
                    (String) in.members().get("case"),
                    list.toString(),
                    (String) in.members().get("host"),
                    (String) in.members().get("url"),
                    (String) in.members().get("canonical"),
                    in.strings("steps"),
                    Boolean.TRUE.equals(in.bool("refused")));
        } catch (InvalidListException e) {
            throw new UncheckedIOException(new IOException(e.getMessage() + ": " + line));
        }
    }

    /** Returns a value as JSON. */
    static String write(Object value) {
        if (value instanceof Map<?, ?> members) {
            return "{" + String.join(",", members.entrySet().stream()
                    .map(e -> Json.quote((String) e.getKey()) + ":" + write(e.getValue())).toList()) + "}";
        }
        if (value instanceof List<?> values) {
            return "[" + String.join(",", values.stream().map(Case::write).toList()) + "]";
        }
        return value instanceof String text ? Json.quote(text) : String.valueOf(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
