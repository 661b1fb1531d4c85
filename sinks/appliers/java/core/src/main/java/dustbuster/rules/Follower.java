package dustbuster.rules;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads a file or a daemon again and again, and sets each new list. After an error the old list stays.
 * To write a file safely, replace the file by renaming.
 */
public final class Follower implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Map<String, Live> SHARED = new HashMap<>(); // guarded by itself

    private final Live live;
    private final String source;
    private final String token;
    private final Domains domains;
    private final HttpClient client;
    private final Duration patience; // for a whole answer
    private Thread thread;
    private String seen = ""; // the file's time and size, or the daemon's ETag

    /**
     * Makes a follower. Nothing is read before {@link #poll} or {@link #start}.
     *
     * @param source a file, or the address of a daemon, such as http://127.0.0.1:9464
     * @param token the daemon's token, or null
     * @param domains gives registrable domains, or null
     */
    public Follower(Live live, String source, String token, Domains domains) {
        this(live, source, token, domains, PATIENCE);
    }

    Follower(Live live, String source, String token, Domains domains, Duration patience) {
        this.patience = patience;
        this.live = live;
        this.source = source;
        this.token = token;
        this.domains = domains;
        this.client = isAddress(source) ? HttpClient.newBuilder().connectTimeout(patience).build() : null;
    }

    /**
     * Returns the list of a source, and follows the source as long as the process lives. All callers
     * with the same source, token, interval, secret and host share one list, with the functions of the first.
     *
     * @param host of relative URLs, and of the rules of a log without host names, or null
     * @param secret of the exploration of one changed URL in 1,000, as for {@link Exploration}
     * @throws IllegalArgumentException if the source cannot be read now: keys made without rules would
     *     differ from all others. Later errors go to a function, and the old list stays. Or if the
     *     secret is too short, or the host is none.
     */
    public static Live shared(
            String source, String token, Duration every, String secret, String host, Domains domains, Consumer<Exception> failed) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(source + "\n" + token + "\n" + every + "\n" + secret + "\n" + host, key -> {
                Live live = new Live(Exploration.usual(secret), host);
                Follower follower = new Follower(live, source, token, domains);
                try {
                    follower.poll();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("read " + source + ": interrupted", e);
                } catch (IOException | InvalidListException e) {
                    throw new IllegalArgumentException("read " + source + ": " + e.getMessage(), e);
                }
                follower.start(every, failed);
                return live;
            });
        }
    }

    private static boolean isAddress(String source) {
        return source.startsWith("http://") || source.startsWith("https://");
    }

    /** Reads the source once, and reports whether a new list was set. */
    public synchronized boolean poll() throws IOException, InvalidListException, InterruptedException {
        return isAddress(source) ? ask() : look();
    }

    private boolean look() throws IOException, InvalidListException {
        Path file = Path.of(source);
        String now = Files.getLastModifiedTime(file).toMillis() + " " + Files.size(file) + " "
                + Files.readAttributes(file, java.nio.file.attribute.BasicFileAttributes.class).fileKey();
        if (now.equals(seen)) {
            return false;
        }
        byte[] list;
        try (InputStream in = Files.newInputStream(file)) {
            list = Rules.bytes(in);
        }
        seen = now; // reading a wrong list again would not help
        String version = HexFormat.of().formatHex(Exploration.sha256(list));
        if (version.equals(live.version())) {
            return false;
        }
        live.set(Rules.parse(Rules.utf8(list), domains), version);
        return true;
    }

    private boolean ask() throws IOException, InvalidListException, InterruptedException {
        URI address = URI.create(source);
        if (address.getPath().isEmpty() || address.getPath().equals("/")) {
            address = address.resolve("/api/v1/rules?state=valid");
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(patience).header("Accept", "application/x-ndjson");
        if (!seen.isEmpty()) {
            request.header("If-None-Match", seen);
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        long start = System.nanoTime();
        HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            if (answer.statusCode() == 304 && !seen.isEmpty()) {
                return false;
            }
            if (answer.statusCode() != 200) {
                throw new IOException("read rules: " + address + " answers " + answer.statusCode());
            }
            byte[] list = Answer.whole(body, "read rules", start, patience, Rules::bytes);
            seen = answer.headers().firstValue("ETag").orElse("");
            String version = seen.isEmpty() ? HexFormat.of().formatHex(Exploration.sha256(list)) : seen;
            if (version.equals(live.version())) {
                return false;
            }
            live.set(Rules.parse(Rules.utf8(list), domains), version);
            return true;
        }
    }

    /**
     * Starts a thread that polls, at once and then at an interval, until {@link #close}. Errors go to a
     * function, on that thread.
     */
    public synchronized void start(Duration every, Consumer<Exception> failed) {
        if (thread != null) {
            throw new IllegalStateException("started twice");
        }
        thread = new Thread(() -> run(every, failed), "dustbuster rules");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Duration every, Consumer<Exception> failed) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                try {
                    poll();
                } catch (IOException | InvalidListException | RuntimeException e) {
                    failed.accept(e);
                }
                Thread.sleep(every.toMillis());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Ends the thread, if there is one, and waits for its end. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            running = thread;
            thread = null;
        }
        if (running == null) {
            return;
        }
        running.interrupt();
        try {
            running.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
