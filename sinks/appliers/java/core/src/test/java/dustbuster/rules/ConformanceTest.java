package dustbuster.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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
        Rules rules = Rules.parse(c.list(), Domains.TWO_LABELS);
        Explanation made = rules.explain(c.url());
        assertEquals(c.canonical(), made.canonical());
        assertEquals(c.steps(), made.steps().stream().map(Step::rule).toList());
        String form = rules.canonical(c.url());
        assertEquals(c.canonical(), form);
        assertSame(form, rules.canonical(form), "a canonical form is its own");
    }
}
