package dustbuster.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares the index with the plain loop of docs/rules.md, on random lists of all kinds. */
class OracleTest {
    private static final int LISTS = 600;
    private static final int TEXTS = 100;

    @Test
    void agreesWithThePlainLoop() throws Exception {
        int changed = 0;
        int unsettled = 0;
        for (int seed = 0; seed < LISTS; seed++) {
            RandomLists random = new RandomLists(seed);
            List<String> list = random.list(1 + seed % 40);
            SiteRules site = site(list);
            Rules rules = Rules.parse(String.join("\n", list));
            for (int i = 0; i < TEXTS; i++) {
                String text = random.text();
                List<String> steps = new ArrayList<>();
                String want = plain(site.rules, text, steps);
                List<Step> made = new ArrayList<>();
                assertEquals(want, site.canonical(text, made), () -> text + " under\n" + String.join("\n", list));
                if (!want.equals(text)) {
                    assertEquals(steps, made.stream().map(Step::rule).toList(), text);
                    changed++;
                } else if (!steps.isEmpty()) {
                    unsettled++;
                }
                assertEquals(want, site.canonical(want, null), "a canonical form is its own");
                assertEquals("http://h" + want, rules.canonical("http://h" + text));
                assertEquals("http://h" + want, rules.explain("http://h" + text).canonical());
            }
        }
        assertTrue(changed > LISTS * TEXTS / 4, changed + " changed");
        assertTrue(unsettled > 100, unsettled + " did not settle");
    }

    @Test
    void keepsTextsOfManyRules() throws Exception {
        RandomLists random = new RandomLists(17);
        List<String> list = random.list(1000);
        SiteRules site = site(list);
        for (int i = 0; i < 300; i++) {
            String text = random.text();
            assertEquals(plain(site.rules, text, new ArrayList<>()), site.canonical(text, null), text);
        }
    }

    @Test
    void isForManyThreads() throws Exception {
        RandomLists random = new RandomLists(5);
        Rules rules = Rules.parse(String.join("\n", random.list(200)));
        Rules alone = Rules.parse(String.join("\n", new RandomLists(5).list(200)));
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            urls.add("http://h" + random.text());
        }
        List<String> want = urls.stream().map(alone::canonical).toList();
        assertEquals(want, urls.parallelStream().map(rules::canonical).toList());
        assertNotEquals(urls, want);
    }

    private static SiteRules site(List<String> list) throws InvalidListException {
        List<Record> records = new ArrayList<>();
        for (String line : list) {
            records.add(Record.read(line));
        }
        return SiteReader.read(records);
    }

    /** The loop of docs/rules.md. */
    private static String plain(List<Rule> rules, String text, List<String> steps) {
        String now = text;
        for (int round = 0; round < 10; round++) {
            String before = now;
            for (Rule rule : rules) {
                String out = rule.apply(now);
                if (!out.equals(now)) {
                    steps.add(rule.id);
                }
                now = out;
                if (now.length() > 2048) {
                    return text;
                }
            }
            if (now.equals(before)) {
                return now;
            }
        }
        return text;
    }
}
