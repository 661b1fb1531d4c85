package dustbuster.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the rules that may change a text, in one walk over the text. The index may name a rule that
 * does not change the text, and never leaves out a rule that does.
 *
 * <p>Each rule has conditions that are necessary for a change: the text holds one of some strings (the
 * side of a substring, a name, the prefix of the scope). Of each string one <i>gram</i> of 8, 4, 2 or 1
 * bytes is looked for, packed into a long. The index chooses the condition and the grams that few other
 * rules have. A rule without conditions is a candidate for every text.
 *
 * <p>A lookup takes O(length of the text) and the rules found. Memory is O(bytes of the rules).
 */
final class Index {
    private static final int[] SIZES = {8, 4, 2, 1};

    private final BitSet always = new BitSet(); // a bit for each rule
    private final int[] sizes; // of the grams that occur
    private final int shift; // of the hash
    private final long[] keys; // 0: empty; no gram is 0
    private final int[][] found; // the rules of each key

    Index(List<Rule> rules) {
        Map<Long, Integer> counts = new HashMap<>();
        List<List<List<String>>> conditions = rules.stream().map(Index::conditions).toList();
        conditions.forEach(of -> of.forEach(condition -> condition.forEach(
                text -> Arrays.stream(grams(text)).forEach(gram -> counts.merge(gram, 1, Integer::sum)))));
        Map<Long, List<Integer>> byGram = new HashMap<>();
        for (int i = 0; i < rules.size(); i++) {
            long[] best = best(conditions.get(i), counts);
            if (best == null) {
                always.set(i);
                continue;
            }
            for (long gram : best) {
                byGram.computeIfAbsent(gram, k -> new ArrayList<>()).add(i);
            }
        }
        sizes = Arrays.stream(SIZES).filter(size -> byGram.keySet().stream().anyMatch(gram -> size(gram) == size)).toArray();
        int bits = 64 - Long.numberOfLeadingZeros(Math.max(1, 4L * byGram.size()));
        shift = 64 - bits;
        keys = new long[1 << bits];
        found = new int[1 << bits][];
        byGram.forEach((gram, of) -> {
            int at = slot(gram);
            keys[at] = gram;
            found[at] = of.stream().mapToInt(Integer::intValue).toArray();
        });
    }

    /** Returns a bit for each rule: whether the rule may change the text. */
    BitSet candidates(String text) {
        BitSet bits = (BitSet) always.clone();
        add(text, bits);
        return bits;
    }

    /** Adds the rules that may change a text. */
    void add(String text, BitSet bits) {
        long gram = 0;
        for (int i = 0; i < text.length(); i++) {
            gram = gram << 8 | text.charAt(i);
            for (int size : sizes) {
                if (i < size - 1) {
                    continue;
                }
                int at = slot(gram & mask(size));
                if (keys[at] != 0) {
                    for (int rule : found[at]) {
                        bits.set(rule);
                    }
                }
            }
        }
    }

    /** Returns the slot of a gram, or an empty slot. */
    private int slot(long gram) {
        int at = (int) (gram * 0x9E3779B97F4A7C15L >>> shift);
        while (keys[at] != 0 && keys[at] != gram) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }

    /** Returns the conditions of a rule: lists of strings, of each of which an edited text holds one. */
    private static List<List<String>> conditions(Rule rule) {
        List<List<String>> all = new ArrayList<>();
        all.add(rule.edit.needs());
        Scope scope = rule.scope;
        if (scope.prefix() != null) {
            all.add(List.of(scope.prefix()));
        }
        for (Condition condition : scope.where()) {
            all.add(List.of(condition.value() == null ? condition.param() : condition.param() + "=" + condition.value()));
        }
        if (scope.path() != null && !rule.edit.editsPathParameters()) {
            int wild = scope.path().indexOf(Scope.WILD);
            all.add(List.of(wild < 0 ? scope.path() : scope.path().substring(0, wild + 1)));
            if (wild >= 0) {
                all.add(List.of(scope.path().substring(wild + 2)));
            }
        }
        all.removeIf(condition -> condition.isEmpty() || condition.contains(""));
        return all;
    }

    /** Returns the grams of the condition that seems the rarest, or null if there is none. */
    private static long[] best(List<List<String>> conditions, Map<Long, Integer> counts) {
        long[] best = null;
        for (List<String> condition : conditions) {
            long[] grams = condition.stream().mapToLong(text -> rarest(text, counts)).toArray();
            if (best == null || cost(grams, counts) < cost(best, counts)) {
                best = grams;
            }
        }
        return best;
    }

    private static long rarest(String text, Map<Long, Integer> counts) {
        long[] grams = grams(text);
        long best = grams[0];
        for (long gram : grams) {
            best = cost(counts, gram) < cost(counts, best) ? gram : best;
        }
        return best;
    }

    private static long cost(long[] grams, Map<Long, Integer> counts) {
        return Arrays.stream(grams).map(gram -> cost(counts, gram)).sum();
    }

    /**
     * Returns how often a gram is expected in texts, by the rules that have the gram. Short grams
     * occur in more texts, whatever the rules are.
     */
    private static long cost(Map<Long, Integer> counts, long gram) {
        return (long) counts.get(gram) * (1 << 2 * (8 - size(gram)));
    }

    /** Returns the grams of a text, all of the largest size that the text has. */
    private static long[] grams(String text) {
        int size = Arrays.stream(SIZES).filter(s -> s <= text.length()).findFirst().orElseThrow();
        long[] grams = new long[text.length() - size + 1];
        long gram = 0;
        for (int i = 0; i < text.length(); i++) {
            gram = gram << 8 | text.charAt(i);
            if (i >= size - 1) {
                grams[i - size + 1] = gram & mask(size);
            }
        }
        return grams;
    }

    private static long mask(int size) {
        return -1L >>> 64 - 8 * size;
    }

    /** Returns the size of a gram: texts have no NUL, so the first byte is not 0. */
    private static int size(long gram) {
        return 8 - Long.numberOfLeadingZeros(gram) / 8;
    }
}
