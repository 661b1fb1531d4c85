package dustbuster.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String list, String in, String... args) throws Exception {
        Path file = Files.writeString(folder.resolve("rules.jsonl"), list);
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--rules";
        all[args.length + 1] = file.toString();
        return Main.run(
                all, new ByteArrayInputStream(in.getBytes(StandardCharsets.ISO_8859_1)), out, new PrintStream(err));
    }

    private static final String LIST = "{\"schema\":2,\"site\":\"h.a.org\",\"by_domain\":false,\"id\":\"r1\",\"state\":\"valid\","
            + "\"rank\":1,\"kind\":\"form\",\"form\":\"empty-query\",\"scope\":{}}\n";

    @Test
    void canon() throws Exception {
        assertEquals(0, run(LIST, "http://h.a.org/\u00e9?\nhttp://h.a.org/\r\n\nhttp://x/\u00ff", "canon", "--steps"));
        assertEquals("http://h.a.org/%E9\tr1\nhttp://h.a.org/\t\n\t\nhttp://x/\u00ff\t\n", out.toString(StandardCharsets.ISO_8859_1));
    }

    @Test
    void bench() throws Exception {
        assertEquals(0, run(LIST, "http://h.a.org/?\nhttp://h.a.org/\n", "bench", "--two-labels"));
        assertTrue(out.toString().matches("\\{\"urls\":2,\"changed\":1,\"ns\":\\d+}\\R"), out.toString());
    }

    @Test
    void refuses() throws Exception {
        assertEquals(1, run("{}\n{\"state\":\"valid\"}\n", "", "canon"));
        assertTrue(err.toString().startsWith("read rules: line 2: "), err.toString());
        assertEquals(2, run("", "", "help"));
    }
}
