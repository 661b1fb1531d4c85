package dustbuster.rules.kafka;

import dustbuster.rules.Live;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Scanner;

/** The command: canonical forms by the rules of a topic, as they are when each URL comes. */
public final class Main {
    private static final String PREFIX = "kafka://";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Main() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int slash = args.length == 3 ? args[2].lastIndexOf('/') : -1;
        if (slash < PREFIX.length() || !args[0].equals("canon") || !args[1].equals("--rules") || !args[2].startsWith(PREFIX)) {
            System.err.println("usage: canon --rules kafka://HOST:PORT,.../TOPIC");
            System.exit(2);
        }
        Map<String, Object> settings = Map.of("bootstrap.servers", args[2].substring(PREFIX.length(), slash));
        Live live = new Live();
        try (TopicFollower follower =
                new TopicFollower(live, settings, args[2].substring(slash + 1), null, System.err::println)) {
            if (!follower.await(PATIENCE)) {
                System.err.println("the rules of the topic were not read within " + PATIENCE.toSeconds() + " s");
                System.exit(1);
            }
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            Scanner urls = new Scanner(System.in, StandardCharsets.UTF_8).useDelimiter("\n");
            while (urls.hasNext()) {
                out.print(live.canonical(urls.next()) + "\n");
                out.flush();
            }
        }
    }
}
