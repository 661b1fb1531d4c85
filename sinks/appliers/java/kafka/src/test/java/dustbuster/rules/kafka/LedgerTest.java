package dustbuster.rules.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dustbuster.rules.InvalidListException;
import dustbuster.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Ledger ledger = new Ledger();

    private boolean rule(String id, long epoch, long sequence) throws InvalidListException {
        return ledger.apply("a%2Fb/rule/" + id, "{\"schema\":2,\"site\":\"a/b\",\"hosts\":[\"h\"],\"id\":\"" + id
                + "\",\"state\":\"valid\",\"rank\":1,\"kind\":\"parameter\",\"op\":\"drop\",\"params\":[\"p\"],\"scope\":{}}",
                new Tuple(epoch, 1, sequence));
    }

    private boolean set(long epoch, long sequence, String... rules) throws InvalidListException {
        return ledger.apply("a%2Fb/set", "{\"schema\":1,\"site\":\"a/b\",\"sequence\":1,\"at\":1,\"sample\":{},\"rules\":["
                + String.join(",", rules) + "]}", new Tuple(epoch, 1, sequence));
    }

    private static String named(String id, long epoch, long sequence) {
        return "{\"id\":\"" + id + "\",\"at\":[" + epoch + ",1," + sequence + "]}";
    }

    private String sets() {
        List<RuleSet> sets = new ArrayList<>();
        ledger.addSets(sets);
        return sets.stream().map(set -> set.site() + set.ids()).toList().toString();
    }

    @Test
    void takesWholeSetsInTheOrderOfTheMarker() throws Exception {
        assertFalse(rule("x", 1, 1));
        assertFalse(rule("y", 1, 2));
        assertEquals("[]", sets());
        assertTrue(set(1, 3, named("y", 1, 2), named("x", 1, 1)));
        assertEquals("[a/b[y, x]]", sets());
        assertFalse(ledger.apply("a%2Fb/verdict/x", "?", new Tuple(1, 1, 4)));
        assertFalse(ledger.apply("owner", "?", new Tuple(1, 1, 4)));
        assertFalse(ledger.apply("a/b/c/d", "?", new Tuple(1, 1, 4)));
    }

    @Test
    void refusesOlderRecords() throws Exception {
        rule("x", 2, 1);
        assertTrue(set(2, 2, named("x", 2, 1)));
        assertFalse(ledger.apply("a%2Fb/rule/x", null, new Tuple(1, 9, 9)));
        assertFalse(ledger.apply("a%2Fb/set", null, new Tuple(1, 9, 9)));
        assertEquals("[a/b[x]]", sets());
        assertTrue(ledger.apply("a%2Fb/set", null, new Tuple(3, 0, 0)));
        assertEquals("[]", sets());
    }

    @Test
    void waitsUntilASetIsWhole() throws Exception {
        rule("x", 1, 1);
        set(1, 2, named("x", 1, 1));
        assertFalse(set(2, 5, named("x", 1, 1), named("y", 2, 4)), "y is missing");
        assertEquals("[a/b[x]]", sets());
        assertTrue(rule("y", 2, 4));
        assertEquals("[a/b[x, y]]", sets());
        assertFalse(rule("z", 2, 9), "of a publication to come");
        assertFalse(set(2, 8, named("y", 2, 4)), "z is newer than the marker");
        assertEquals("[a/b[x, y]]", sets());
        assertTrue(set(2, 10, named("y", 2, 4)));
        assertEquals("[a/b[y]]", sets());
        assertFalse(rule("y", 2, 3), "older");
        assertFalse(set(2, 11, named("y", 2, 3)), "another tuple");
        assertEquals("[a/b[y]]", sets());
    }

    @Test
    void keepsTheLastSetAfterAMalformedOne() throws Exception {
        rule("x", 1, 1);
        set(1, 2, named("x", 1, 1));
        ledger.apply("a%2Fb/rule/y", "{\"schema\":3}", new Tuple(1, 1, 3));
        assertThrows(InvalidListException.class, () -> set(1, 4, named("y", 1, 3)));
        assertEquals("[a/b[x]]", sets());
        assertThrows(InvalidListException.class, () -> ledger.apply("a%2Fb/set", "{\"schema\":2}", new Tuple(1, 1, 5)));
        assertTrue(set(1, 6));
        assertEquals("[]", sets());
    }
}
