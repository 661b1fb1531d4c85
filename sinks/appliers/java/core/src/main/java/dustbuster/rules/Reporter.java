package dustbuster.rules;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends reports to a daemon. A {@code Reporter} may be used by several threads. */
public final class Reporter {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LONGEST_REASON = 1000; // bytes

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final URI address;
    private final String token;
    private final Duration patience; // for a whole answer

    /**
     * Makes a reporter to a daemon.
     *
     * @param daemon such as http://127.0.0.1:9464
     * @param token the daemon's token, or null
     */
    public Reporter(String daemon, String token) {
        this(daemon, token, PATIENCE);
    }

    Reporter(String daemon, String token, Duration patience) {
        this.patience = patience;
        this.address = URI.create(daemon.replaceAll("/+$", "") + "/api/v1/report");
        this.token = token;
    }

    /**
     * Sends a report. The answer must arrive within 30 seconds.
     *
     * @throws IOException if the daemon does not accept the report; the message holds the first 1,000
     *     bytes of the answer. After status 429 a crawler should drop reports for a while.
     */
    public void send(Report report) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(patience)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(report.json(), StandardCharsets.UTF_8));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        long start = System.nanoTime();
        HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            if (answer.statusCode() / 100 == 2) {
                return;
            }
            byte[] reason = Answer.whole(body, "report", start, patience, in -> in.readNBytes(LONGEST_REASON));
            throw new IOException("report: " + answer.statusCode() + " " + new String(reason, StandardCharsets.UTF_8).strip());
        }
    }
}
