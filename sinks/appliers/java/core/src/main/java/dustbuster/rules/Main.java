package dustbuster.rules;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** The command of the applier: see sinks/appliers/README.md. */
public final class Main {
    private static final String USAGE =
            "usage: java -jar dustbuster-rules.jar canon|bench --rules FILE [--host HOST] [--two-labels] [--steps]\n"
                    + "       java -jar dustbuster-rules.jar lists [--host HOST] [--two-labels]";
    private static final int PASSES = 7; // at least
    private static final int WARM = 200_000; // URLs, after which Java's compiler has done its work

    private Main() {}

    public static void main(String[] args) throws IOException {
        System.exit(run(args, System.in, System.out, System.err));
    }

    static int run(String[] args, InputStream in, OutputStream out, PrintStream err) throws IOException {
        String file = null;
        String host = null;
        boolean twoLabels = false;
        boolean steps = false;
        for (int i = 1; i < args.length; i++) {
            switch (args[i]) {
                case "--rules" -> file = i + 1 < args.length ? args[++i] : null;
                case "--host" -> host = i + 1 < args.length ? args[++i] : null;
                case "--two-labels" -> twoLabels = true;
                case "--steps" -> steps = true;
                default -> file = null;
            }
        }
        if (args.length > 0 && args[0].equals("lists")) {
            try (OutputStream to = new BufferedOutputStream(out)) {
                lists(in, to, twoLabels ? Domains.TWO_LABELS : null, host);
            }
            return 0;
        }
        if (file == null || !args[0].equals("canon") && !args[0].equals("bench")) {
            err.println(USAGE);
            return 2;
        }
        Rules rules;
        try {
            rules = Rules.read(Path.of(file), twoLabels ? Domains.TWO_LABELS : null).forHost(host);
        } catch (IOException | InvalidListException | IllegalArgumentException e) {
            err.println("read rules: " + e.getMessage());
            return 1;
        }
        rules.warnings().forEach(err::println);
        try (OutputStream to = new BufferedOutputStream(out)) {
            if (args[0].equals("bench")) {
                to.write(bench(rules, lines(in)).getBytes(StandardCharsets.US_ASCII));
            } else {
                String refused = canon(rules, in, to, steps);
                if (refused != null) {
                    err.println("canonize \"" + Bytes.text(refused)
                            + "\": the rules name no host: add --host www.example.org with the host of the rules");
                    return 1;
                }
            }
        }
        return 0;
    }

    /** Prints the forms of URLs, and returns the first URL whose host must be named, or null. */
    private static String canon(Rules rules, InputStream in, OutputStream out, boolean steps) throws IOException {
        InputStream from = new BufferedInputStream(in);
        for (String line = line(from); line != null; line = line(from)) {
            if (rules.needsHostBytes(line)) {
                return line;
            }
            StringBuilder text = new StringBuilder();
            if (steps) {
                List<String> ids = new ArrayList<>();
                text.append(rules.canonicalBytes(line, step -> ids.add(step.rule()))).append('\t').append(String.join(" ", ids));
            } else {
                text.append(rules.canonicalBytes(line, null));
            }
            out.write(text.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1));
        }
        return null;
    }

    /** Reads a list on each line, in base64, and URLs behind it, and prints their forms. */
    private static void lists(InputStream in, OutputStream out, Domains domains, String host) throws IOException {
        for (String line : lines(in)) {
            String[] parts = line.split("\t", -1);
            StringBuilder text = new StringBuilder();
            try {
                Rules rules = Rules.parse(Rules.utf8(Base64.getDecoder().decode(parts[0])), domains).forHost(host);
                for (int i = 1; i < parts.length; i++) {
                    text.append(i > 1 ? "\t" : "").append(rules.canonicalBytes(parts[i], null));
                }
            } catch (InvalidListException e) {
                text.append("refused");
            }
            out.write(text.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private static List<String> lines(InputStream in) throws IOException {
        InputStream from = new BufferedInputStream(in);
        List<String> lines = new ArrayList<>();
        for (String line = line(from); line != null; line = line(from)) {
            lines.add(line);
        }
        return lines;
    }

    /** Returns the next line as a byte string, or null at the end. */
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int c = in.read();
        if (c < 0) {
            return null;
        }
        for (; c >= 0 && c != '\n'; c = in.read()) {
            line.write(c);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private static String bench(Rules rules, List<String> urls) {
        long least = Long.MAX_VALUE;
        int changed = 0;
        int warm = PASSES + WARM / Math.max(1, urls.size()); // passes
        for (int pass = 0; pass < 2 * warm; pass++) {
            long start = System.nanoTime();
            changed = 0;
            for (String url : urls) {
                if (rules.canonical(url) != url) {
                    changed++;
                }
            }
            long each = (System.nanoTime() - start) / Math.max(1, urls.size());
            if (pass >= warm) {
                least = Math.min(least, each);
            }
        }
        return String.format(Locale.ROOT, "{\"urls\":%d,\"changed\":%d,\"ns\":%d}%n", urls.size(), changed, least);
    }
}
