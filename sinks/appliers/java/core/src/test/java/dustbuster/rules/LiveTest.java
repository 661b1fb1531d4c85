package dustbuster.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveTest {
    private static String drop(String id, int rank, String name) {
        return "{\"schema\":2,\"site\":\"h\",\"id\":\"" + id + "\",\"state\":\"valid\",\"scope\":{},\"rank\":" + rank
                + ",\"kind\":\"parameter\",\"op\":\"drop\",\"params\":[\"" + name + "\"]}\n";
    }

    private static final String TWO = drop("r1", 1, "sid") + drop("r2", 2, "x");

    @Test
    void countsAndSwitchesOff() throws Exception {
        Live live = new Live();
        assertSame("http://h/a?sid=1", live.canonical("http://h/a?sid=1"));
        List<String> versions = new ArrayList<>();
        live.onChange(versions::add);
        live.set(Rules.parse(TWO), "v1");
        assertEquals("http://h/a", live.canonical("http://h/a?sid=1&x=2"));
        live.switchOff("r1");
        assertEquals("http://h/a?sid=1", live.canonical("http://h/a?sid=1&x=2"));
        live.set(Rules.parse(TWO), "v2");
        assertEquals("http://h/a?sid=1", live.canonical("http://h/a?sid=1&x=2"));
        live.switchOn("r1");
        assertEquals("http://h/a", live.canonical("http://h/a?sid=1"));
        assertEquals(new Live.Counts(5, 4, Map.of("r1", 2L, "r2", 3L)), live.counts());
        assertEquals(List.of("v1", "v2"), versions);
        assertEquals("v2", live.version());
    }

    /** The examples of docs/conformance/README.md. */
    @Test
    void explores() throws Exception {
        Instant day = Instant.parse("2026-11-22T23:59:59Z");
        Exploration usual = Exploration.usual("an-example-secret");
        assertEquals(0x5278bcac681dec90L, usual.hash("http://www.example.org/a?sid=1", day));
        assertEquals(0x1877124397e9a2f0L, usual.hash("https://www.example.org/", day));
        assertEquals(0xcf92790386d867ecL, usual.hash("http://h/%C3%A9?x=1#f", day));
        assertEquals(0xae70ce8f210cb6b4L, usual.hash("http://h/\u00e9", day));
        assertEquals(0xf817ed43df28161bL, Exploration.usual("the secret of a crawler \u2013 longer than the 64 bytes of"
                + " one block of SHA-256").hash("https://www.example.org/", day));
        for (Exploration e : List.of(usual, Exploration.share("an-example-secret", 0.001))) {
            assertTrue(e.marks("http://www.example.org/a?sid=1530", day));
            assertTrue(e.marks("http://www.example.org/a?sid=3382", day), "the number has no sign");
            assertFalse(e.marks("http://www.example.org/a?sid=1530", day.plusSeconds(1)));
            assertFalse(e.marks("http://www.example.org/a?sid=1531", day));
        }
        assertFalse(Exploration.share(null, 0).marks("http://www.example.org/", day));
        Live all = new Live(Exploration.share(null, 1));
        all.set(Rules.parse(TWO), "v1");
        assertTrue(all.explores("http://h/a?sid=1", day));
        assertFalse(all.explores("http://h/a", day), "the rules do not change the URL");
        assertFalse(all.explores("http://h/a#b", day), "only the fragment goes");
    }

    @Test
    void rulesWithoutASite() throws Exception {
        String list = drop("r1", 1, "sid").replace("\"site\":\"h\"", "\"site\":\"\"");
        Live bare = new Live();
        bare.set(Rules.parse(list), "v1");
        assertEquals("http://a.example/?sid=1#f", bare.canonical("http://a.example/?sid=1#f"));
        assertEquals("/", bare.canonical("/?sid=1#f"));
        assertTrue(bare.rules().warnings().toString().contains("apply to paths alone: name their host"), bare.rules().warnings().toString());
        Live named = new Live(Exploration.usual(null), "A.example.");
        named.set(Rules.parse(list), "v1");
        assertEquals("http://a.example/", named.canonical("http://a.example/?sid=1#f"));
        assertEquals("http://b.example/?sid=1#f", named.canonical("http://b.example/?sid=1#f"));
        assertEquals(List.of(), named.rules().warnings());
        named.switchOff("r1");
        named.switchOn("r1");
        assertEquals("http://a.example/", named.canonical("http://a.example/?sid=1#f"));
        for (String host : List.of("a b", "http://a.example", "a.example/")) {
            assertThrows(IllegalArgumentException.class, () -> new Live(Exploration.usual(null), host));
        }
    }

    @Test
    void secrets(@TempDir Path folder) throws Exception {
        for (String secret : List.of("", "fifteen bytes!!")) {
            Exception e = assertThrows(IllegalArgumentException.class, () -> new Exploration(secret, 1));
            assertEquals("the secret of exploration has " + secret.length() + " bytes, and must have at least 16", e.getMessage());
        }
        Instant day = Instant.parse("2026-11-22T00:00:00Z");
        new Exploration("fourteen bytes\u00e9", 1);
        assertEquals(Exploration.usual(null).hash("", day), Exploration.usual(null).hash("", day));
        assertNotEquals(new Exploration("\0".repeat(16), 1).hash("", day), Exploration.usual(null).hash("", day));
        Path file = Files.writeString(folder.resolve("rules.jsonl"), TWO);
        Live one = Follower.shared(file.toString(), null, Duration.ofHours(1), "an-example-secret", null, null, e -> { });
        assertTrue(one.explores("http://h/a?sid=1324", day));
        assertFalse(one.explores("http://h/a?sid=1", day));
        assertSame(one, Follower.shared(file.toString(), null, Duration.ofHours(1), "an-example-secret", null, null, e -> { }));
        assertNotSame(one, Follower.shared(file.toString(), null, Duration.ofHours(1), null, null, null, e -> { }));
    }

    @Test
    void followsFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("rules.jsonl");
        Live live = new Live();
        Follower follower = new Follower(live, file.toString(), null, null);
        assertThrows(IOException.class, follower::poll);
        replace(file, TWO);
        assertTrue(follower.poll());
        assertFalse(follower.poll());
        String version = live.version();
        replace(file, "no JSON\n");
        assertThrows(InvalidListException.class, follower::poll);
        assertFalse(follower.poll(), "a wrong list is read once");
        assertEquals(version, live.version());
        assertEquals("http://h/", live.canonical("http://h/?sid=1"));
        replace(file, drop("r2", 2, "x"));
        assertTrue(follower.poll());
        assertEquals("http://h/?sid=1", live.canonical("http://h/?sid=1"));
    }

    private static void replace(Path file, String list) throws IOException {
        Path next = file.resolveSibling("next");
        Files.writeString(next, list);
        Files.move(next, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void followsDaemonAndReports() throws Exception {
        List<String> asked = new ArrayList<>();
        ConcurrentLinkedQueue<String> reports = new ConcurrentLinkedQueue<>();
        String[] tag = {"\"one\""};
        HttpServer daemon = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        daemon.createContext("/api/v1/rules", x -> {
            asked.add(x.getRequestURI().getQuery() + " " + x.getRequestHeaders().getFirst("If-None-Match"));
            x.getResponseHeaders().set("ETag", tag[0]);
            boolean same = tag[0].equals(x.getRequestHeaders().getFirst("If-None-Match"));
            answer(x, same ? 304 : 200, same ? "" : TWO);
        });
        daemon.createContext("/api/v1/report", x -> {
            reports.add(x.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(x.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(x, reports.size() == 1 ? 202 : 429, "later");
        });
        daemon.start();
        String address = "http://127.0.0.1:" + daemon.getAddress().getPort();
        Live live = new Live();
        LinkedBlockingQueue<String> versions = new LinkedBlockingQueue<>();
        live.onChange(versions::add);
        try (Follower follower = new Follower(live, address, null, null)) {
            assertTrue(follower.poll());
            assertFalse(follower.poll());
            assertEquals(List.of("state=valid null", "state=valid \"one\""), asked);
            assertEquals("\"one\"", versions.take());
            follower.start(Duration.ofMillis(10), e -> { });
            tag[0] = "\"two\"";
            assertEquals("\"two\"", versions.poll(10, TimeUnit.SECONDS));
        } finally {
            Reporter reporter = new Reporter(address + "/", "secret");
            Explanation url = live.explain("http://h/a?sid=1");
            Report report = Report.of(url, "a".getBytes(StandardCharsets.UTF_8), new byte[0], live.version(), "me");
            reporter.send(report);
            assertThrows(IOException.class, () -> reporter.send(report));
            daemon.stop(0);
        }
        assertEquals(
                "Bearer secret {\"site\":\"h\",\"found\":\"http://h/a?sid=1\",\"canonical\":\"http://h/a\",\"sha256\":["
                        + "\"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\","
                        + "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"],"
                        + "\"rules\":\"\\\"two\\\"\",\"reporter\":\"me\"}",
                reports.peek());
    }

    @Test
    void endsSlowAnswers() throws Exception {
        HttpServer daemon = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        daemon.createContext("/", x -> {
            x.sendResponseHeaders(200, 0);
            try {
                for (int i = 0; i < 400; i++) {
                    x.getResponseBody().write(' ');
                    x.getResponseBody().flush();
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                x.close();
            }
        });
        daemon.start();
        String address = "http://127.0.0.1:" + daemon.getAddress().getPort();
        try (Follower follower = new Follower(new Live(), address, null, null, Duration.ofSeconds(1))) {
            IOException e = assertThrows(IOException.class, follower::poll);
            assertEquals("read rules: no whole answer in 1 seconds", e.getMessage());
        } finally {
            daemon.stop(0);
        }
    }

    /** A list that is cut short or has no end is refused, and a token goes to no other host. */
    @Test
    void readsHostileDaemons() throws Exception {
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", x -> {
            asked.add(String.valueOf(x.getRequestHeaders().getFirst("Authorization")));
            answer(x, 200, TWO);
        });
        HttpServer daemon = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        daemon.createContext("/moved", x -> {
            x.getResponseHeaders().add("Location", "http://127.0.0.1:" + other.getAddress().getPort() + "/");
            answer(x, 302, "");
        });
        daemon.createContext("/endless", x -> {
            x.sendResponseHeaders(200, 0);
            byte[] piece = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
            try (x) {
                for (int i = 0; i < 1 << 12; i++) {
                    x.getResponseBody().write(piece);
                }
            }
        });
        daemon.setExecutor(java.util.concurrent.Executors.newCachedThreadPool());
        other.start();
        daemon.start();
        String address = "http://127.0.0.1:" + daemon.getAddress().getPort();
        try (ServerSocket cut = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            Live live = new Live();
            IOException moved = assertThrows(IOException.class, new Follower(live, address + "/moved", "secret", null)::poll);
            assertTrue(moved.getMessage().endsWith("answers 302"), moved.getMessage());
            assertEquals(null, asked.peek());
            InvalidListException endless = assertThrows(InvalidListException.class, new Follower(live, address + "/endless", null, null)::poll);
            assertEquals("a list of more than 67108864 bytes", endless.getMessage());
            for (String head : List.of("Content-Length: " + 2 * TWO.length() + "\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nffff\r\n")) {
                Thread server = new Thread(() -> {
                    try (Socket s = cut.accept()) {
                        s.getInputStream().read(new byte[1 << 16]);
                        s.getOutputStream().write(("HTTP/1.1 200 OK\r\n" + head + TWO).getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
                server.start();
                assertThrows(IOException.class, new Follower(live, "http://127.0.0.1:" + cut.getLocalPort(), null, null)::poll);
                server.join();
            }
            assertEquals("", live.version());
        } finally {
            daemon.stop(0);
            other.stop(0);
        }
    }

    /** A reporter reads the beginning of an answer, and waits no longer than its patience. */
    @Test
    void reportsToHostileDaemon() throws Exception {
        HttpServer daemon = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        daemon.createContext("/endless", x -> {
            x.sendResponseHeaders(429, 0);
            try {
                for (int i = 0; i < 1 << 20; i++) {
                    x.getResponseBody().write("a".repeat(1 << 10).getBytes(StandardCharsets.US_ASCII));
                }
            } finally {
                x.close();
            }
        });
        daemon.createContext("/slow", x -> {
            x.sendResponseHeaders(429, 0);
            try {
                for (int i = 0; i < 400; i++) {
                    x.getResponseBody().write('a');
                    x.getResponseBody().flush();
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                x.close();
            }
        });
        daemon.setExecutor(java.util.concurrent.Executors.newCachedThreadPool());
        daemon.start();
        String address = "http://127.0.0.1:" + daemon.getAddress().getPort();
        Report report = new Report("h", "http://h/a?sid=1", "http://h/a", "", "", "", "");
        try {
            Reporter endless = new Reporter(address + "/endless", null);
            IOException e = assertThrows(IOException.class, () -> endless.send(report));
            assertEquals("report: 429 " + "a".repeat(1000), e.getMessage());
            Reporter slow = new Reporter(address + "/slow", null, Duration.ofSeconds(1));
            e = assertThrows(IOException.class, () -> slow.send(report));
            assertEquals("report: no whole answer in 1 seconds", e.getMessage());
        } finally {
            daemon.stop(0);
        }
    }

    private static void answer(HttpExchange x, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        x.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            x.getResponseBody().write(body);
        }
        x.close();
    }
}
