package dustbuster.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConformanceTest {
    static List<Case> cases() throws Exception {
        return Case.all();
    }

    @Test
    void hasCases() throws Exception {
        assertTrue(cases().size() >= 100);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void conforms(Case c) throws Exception {
        if (c.refused()) {
            assertThrows(InvalidListException.class, () -> Rules.parse(c.list(), Domains.TWO_LABELS));
            return;
        }
        Rules rules = Rules.parse(c.list(), Domains.TWO_LABELS).forHost(c.host());
        Explanation made = rules.explain(c.url());
        assertEquals(c.canonical(), made.canonical());
        assertEquals(c.steps(), made.steps().stream().map(Step::rule).toList());
        String form = rules.canonical(c.url());
        assertEquals(c.canonical(), form);
        assertSame(form, rules.canonical(form), "a canonical form is its own");
    }

    static List<String> lists() throws Exception {
        return Files.readAllLines(Path.of(System.getProperty("conformance"), "lists.jsonl"));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void readsLists(String line) throws Exception {
        Fields c = Fields.of(Json.read(line), "case");
        byte[] list = c.has("base64")
                ? Base64.getDecoder().decode((String) c.members().get("base64"))
                : ((String) c.members().get("list")).getBytes(StandardCharsets.UTF_8);
        if (c.has("refused")) {
            assertThrows(InvalidListException.class, () -> Rules.parse(Rules.utf8(list), Domains.TWO_LABELS));
            return;
        }
        Rules rules = Rules.parse(Rules.utf8(list), Domains.TWO_LABELS);
        assertEquals(c.list("forms"), c.list("urls").stream().map(url -> rules.canonical((String) url)).toList());
    }

    static List<String> sizes() throws Exception {
        return Files.readAllLines(Path.of(System.getProperty("conformance"), "sizes.jsonl"));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("sizes")
    void boundsSizes(String line) throws Exception {
        Fields c = Fields.of(Json.read(line), "case");
        List<?> records = c.list("rules");
        StringBuilder list = new StringBuilder();
        records.subList(0, records.size() - 1).forEach(record -> list.append(Case.write(record)).append('\n'));
        Map<String, Object> last = new LinkedHashMap<>(Fields.of(records.get(records.size() - 1), "record").members());
        long rank = new Fields(last).needWhole("rank");
        for (int i = 0; i < c.needWhole("times"); i++) {
            last.put("rank", rank + i);
            list.append(Case.write(last)).append('\n');
        }
        if (c.has("refused")) {
            String why = assertThrows(InvalidListException.class, () -> Rules.parse(list.toString(), Domains.TWO_LABELS)).getMessage();
            assertTrue(why.contains("more than 16777216"), why);
            return;
        }
        assertEquals(c.need("canonical"), Rules.parse(list.toString(), Domains.TWO_LABELS).canonical(c.need("url")));
    }
}
