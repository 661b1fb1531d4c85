package dustbuster.rules.kafka;

import dustbuster.rules.Exploration;
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
        boolean named = args.length == 5 && args[3].equals("--host");
        int slash = args.length == 3 || named ? args[2].lastIndexOf('/') : -1;
        if (slash < PREFIX.length() || !args[0].equals("canon") || !args[1].equals("--rules") || !args[2].startsWith(PREFIX)) {
            System.err.println("usage: canon --rules kafka://HOST:PORT,.../TOPIC [--host HOST]");
            System.exit(2);
        }
        Map<String, Object> settings = Map.of("bootstrap.servers", args[2].substring(PREFIX.length(), slash));
        Live live = new Live(Exploration.usual(null), named ? args[4] : null);
        try (TopicFollower follower =
                new TopicFollower(live, settings, args[2].substring(slash + 1), null, System.err::println)) {
            if (!follower.await(PATIENCE)) {
                System.err.println("the rules of the topic were not read within " + PATIENCE.toSeconds() + " s");
                System.exit(1);
            }
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            Scanner urls = new Scanner(System.in, StandardCharsets.UTF_8).useDelimiter("\n");
            while (urls.hasNext()) {
                String url = urls.next();
                if (live.rules().needsHost(url)) {
                    System.err.println("canonize \"" + url
                            + "\": the rules name no host: add --host www.example.org with the host of the rules");
                    System.exit(1);
                }
                out.print(live.canonical(url) + "\n");
                out.flush();
            }
        }
    }
}
