package dustbuster.rules;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends reports to a daemon. A {@code Reporter} may be used by several threads. */
public final class Reporter {
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final URI address;
    private final String token;

    /**
     * Makes a reporter to a daemon.
     *
     * @param daemon such as http://127.0.0.1:9464
     * @param token the daemon's token, or null
     */
    public Reporter(String daemon, String token) {
        this.address = URI.create(daemon.replaceAll("/+$", "") + "/api/v1/report");
        this.token = token;
    }

    /**
     * Sends a report.
     *
     * @throws IOException if the daemon does not accept the report; the message holds the answer. After
     *     status 429 a crawler should drop reports for a while.
     */
    public void send(Report report) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(report.json(), StandardCharsets.UTF_8));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IOException("report: " + answer.statusCode() + " " + answer.body().strip());
        }
    }
}
