package dustbuster.rules.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dustbuster.rules.Case;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.filtering.URLFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Makes the filter for StormCrawler 3 by its name, as StormCrawler does, on stand-ins of its types. */
class StormCrawler3Test {
    @TempDir
    static Path folder;

    private static URLFilter filter(JsonNode params) throws Exception {
        URLFilter filter = (URLFilter) Class.forName("dustbuster.rules.stormcrawler.DustbusterURLFilter3")
                .getDeclaredConstructor().newInstance();
        filter.configure(new HashMap<>(), params, "rules");
        return filter;
    }

    private static JsonNode params(Path file) throws Exception {
        return new ObjectMapper().readTree("{\"rules\": \"%s\", \"interval\": 3600}".formatted(file));
    }

    @Test
    void conforms() throws Exception {
        int count = 0;
        String list = null;
        URLFilter filter = null;
        for (Case c : Case.all()) {
            if (c.refused() || !c.url().matches("(?i)https?://.*")) {
                continue;
            }
            if (!(c.list() + c.host()).equals(list)) {
                list = c.list() + c.host();
                JsonNode params = params(Files.writeString(folder.resolve("rules-" + count), c.list()));
                ((ObjectNode) params).put("fetch", "canonical");
                filter = filter(c.host() == null ? params : ((ObjectNode) params).put("host", c.host()));
            }
            assertEquals(c.canonical(), filter.filter(new URL("http://source.example.org/"), new Metadata(), c.url()), c.name());
            count++;
        }
        System.out.println("StormCrawler 3, on stand-ins: " + count + " cases, no difference");
        assertTrue(count >= 80, count + " cases");
    }

    @Test
    void takesAUrlWithoutASource() throws Exception {
        URLFilter filter = filter(params(Files.writeString(folder.resolve("empty"), "")));
        assertEquals("http://a.example/", filter.filter(null, null, "http://a.example/"));
        assertNull(filter.filter(null, null, null));
    }

    @Test
    void keepsItsNameAndSharesItsList() throws Exception {
        Path file = Files.writeString(folder.resolve("shared"), "");
        URLFilter first = filter(params(file));
        assertEquals("rules", first.getName());
        assertSame(((DustbusterURLFilter3) first).live(), ((DustbusterURLFilter3) filter(params(file))).live());
    }

    @Test
    void refusesToStartWithoutRules() {
        assertThrows(IllegalArgumentException.class, () -> filter(NullNode.getInstance()));
        assertThrows(RuntimeException.class, () -> filter(params(folder.resolve("missing"))));
    }
}
