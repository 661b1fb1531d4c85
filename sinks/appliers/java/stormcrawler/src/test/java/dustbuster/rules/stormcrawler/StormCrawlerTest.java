package dustbuster.rules.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.filtering.URLFilters;
import dustbuster.rules.Case;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs StormCrawler's own URLFilters with the filter, set up from its JSON. */
class StormCrawlerTest {
    @TempDir
    static Path folder;

    private static URLFilters filters(String params) throws IOException {
        URLFilters filters = new URLFilters(new HashMap<String, Object>(), "urlfilters.json");
        String json = """
                {"com.digitalpebble.stormcrawler.filtering.URLFilters": [{
                  "class": "dustbuster.rules.stormcrawler.DustbusterURLFilter", "name": "rules", "params": %s}]}
                """.formatted(params);
        filters.loadJSONResources(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
        return filters;
    }

    @Test
    void conforms() throws Exception {
        int count = 0;
        String list = null;
        URLFilters filters = null;
        for (Case c : Case.all()) {
            if (c.refused() || !c.url().matches("(?i)https?://.*")) {
                continue;
            }
            if (!(c.list() + c.host()).equals(list)) {
                list = c.list() + c.host();
                Path file = Files.writeString(folder.resolve("rules-" + count), c.list());
                String host = c.host() == null ? "" : ", \"host\": \"" + c.host() + "\"";
                filters = filters("{\"rules\": \"%s\", \"interval\": 3600, \"fetch\": \"canonical\"%s}".formatted(file, host));
            }
            assertEquals(c.canonical(), filters.filter(new URL("http://source.example.org/"), new Metadata(), c.url()), c.name());
            count++;
        }
        System.out.println("StormCrawler: " + count + " cases, no difference");
        assertTrue(count >= 80, count + " cases");
    }

    @Test
    void refusesToStartWithoutRules() {
        assertThrows(RuntimeException.class, () -> filters("{}"));
        assertThrows(RuntimeException.class, () -> filters("{\"rules\": \"" + folder + "/missing\"}"));
    }

    @Test
    void returnsTheFirstUrlFoundOfAForm() throws Exception {
        Path file = Files.writeString(folder.resolve("one"), """
                {"schema":2,"site":"h","id":"r1","state":"valid","scope":{},"rank":1,"kind":"parameter","op":"drop","params":["sid"]}
                """);
        String params = "{\"rules\": \"" + file + "\", \"interval\": 3600}";
        URL source = new URL("http://h/");
        assertEquals("http://h/a?sid=1", filters(params).filter(source, new Metadata(), "http://h/a?sid=1"));
        assertEquals("http://h/a?sid=1", filters(params).filter(source, new Metadata(), "http://h/a?sid=2"), "of all filters together");
        assertThrows(RuntimeException.class, () -> filters(params.replace("}", ", \"fetch\": \"form\"}")));
    }
}
