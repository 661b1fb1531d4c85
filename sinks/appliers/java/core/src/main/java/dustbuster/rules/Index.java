package dustbuster.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    private static final int FEW = 32; // grams, for which no pairs are kept
    private static final long[] ALL_PAIRS = new long[1024];

    static {
        Arrays.fill(ALL_PAIRS, -1);
    }

    private final long[] always; // a bit for each rule
    private final int[] sizes; // of the grams that occur, from large to small
    private final long[] masks; // of the sizes
    private final long[] ends; // a bit for each pair of bytes that ends a gram: most places end none
    private final int shift; // of the hash
    private final long[] keys; // 0: empty; no gram is 0
    private final int[][] found; // the rules of each key

    Index(List<Rule> rules) {
        always = new long[(rules.size() + 63) / 64];
        Map<Long, Integer> counts = new HashMap<>();
        List<List<List<String>>> conditions = new ArrayList<>();
        for (Rule rule : rules) {
            List<List<String>> of = conditions(rule);
            conditions.add(of);
            of.forEach(condition -> condition.forEach(text -> count(text, counts)));
        }
        Map<Long, List<Integer>> byGram = new HashMap<>();
        boolean[] used = new boolean[9];
        for (int i = 0; i < rules.size(); i++) {
            long[] best = best(conditions.get(i), counts);
            if (best == null) {
                always[i >> 6] |= 1L << i;
                continue;
            }
            for (long gram : best) {
                used[size(gram)] = true;
                byGram.computeIfAbsent(gram, k -> new ArrayList<>()).add(i);
            }
        }
        sizes = Arrays.stream(SIZES).filter(size -> used[size]).toArray();
        int bits = 64 - Long.numberOfLeadingZeros(Math.max(1, 2L * byGram.size()));
        shift = 64 - bits;
        keys = new long[1 << bits];
        found = new int[1 << bits][];
        masks = Arrays.stream(sizes).mapToLong(Index::mask).toArray();
        ends = byGram.size() <= FEW ? ALL_PAIRS : pairs(byGram.keySet());
        byGram.forEach((gram, of) -> {
            int at = slot(gram);
            keys[at] = gram;
            found[at] = of.stream().mapToInt(Integer::intValue).toArray();
        });
    }

    private static long[] pairs(Set<Long> grams) {
        long[] ends = new long[1024];
        for (long gram : grams) {
            for (int c = 0; c < (size(gram) == 1 ? 256 : 1); c++) { // a single byte ends any pair
                ends[(int) ((gram | c << 8) >>> 6) & 1023] |= 1L << gram;
            }
        }
        return ends;
    }

    /** Returns a bit for each rule: whether the rule may change the text. */
    long[] candidates(String text) {
        long[] bits = always.clone();
        add(text, 0, text.length(), bits);
        return bits;
    }

    /**
     * Adds the rules that may change a text, and could not change the text before an edit. So an edit
     * costs a walk over the edited place alone.
     */
    void addEdited(String before, String text, long[] bits) {
        int most = Math.min(before.length(), text.length());
        int same = 0; // bytes at the beginning
        while (same < most && before.charAt(same) == text.charAt(same)) {
            same++;
        }
        int rest = 0; // equal bytes at the end
        while (rest < most - same
                && before.charAt(before.length() - 1 - rest) == text.charAt(text.length() - 1 - rest)) {
            rest++;
        }
        int reach = sizes.length == 0 ? 0 : sizes[0] - 1;
        add(text, Math.max(0, same - reach), Math.min(text.length(), text.length() - rest + reach), bits);
    }

    /** Adds the rules of the grams between two places. */
    private void add(String text, int from, int to, long[] bits) {
        long gram = 0;
        for (int i = from; i < to; i++) {
            gram = gram << 8 | text.charAt(i);
            if ((ends[(int) (gram >>> 6) & 1023] >>> gram & 1) == 0) { // a shift counts modulo 64
                continue;
            }
            for (int k = 0; k < sizes.length; k++) {
                if (i - from < sizes[k] - 1) {
                    continue;
                }
                int at = slot(gram & masks[k]);
                if (keys[at] != 0) {
                    for (int rule : found[at]) {
                        bits[rule >> 6] |= 1L << rule;
                    }
                }
            }
        }
    }

    /** Returns the first rule from a number on whose bit is set, or -1. */
    static int next(long[] bits, int from) {
        for (int word = from >> 6; word < bits.length; word++) {
            long rest = word == from >> 6 ? bits[word] & -1L << from : bits[word];
            if (rest != 0) {
                return (word << 6) + Long.numberOfTrailingZeros(rest);
            }
        }
        return -1;
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

    private static void count(String text, Map<Long, Integer> counts) {
        for (long gram : grams(text)) {
            counts.merge(gram, 1, Integer::sum);
        }
    }

    /** Returns the grams of the condition that seems the rarest, or null if there is none. */
    private static long[] best(List<List<String>> conditions, Map<Long, Integer> counts) {
        long[] best = null;
        long least = Long.MAX_VALUE;
        for (List<String> condition : conditions) {
            long[] grams = condition.stream().mapToLong(text -> rarest(text, counts)).toArray();
            long cost = Arrays.stream(grams).map(gram -> cost(gram, counts)).sum();
            if (cost < least) {
                least = cost;
                best = grams;
            }
        }
        return best;
    }

    private static long rarest(String text, Map<Long, Integer> counts) {
        long best = 0;
        for (long gram : grams(text)) {
            if (best == 0 || cost(gram, counts) < cost(best, counts)) {
                best = gram;
            }
        }
        return best;
    }

    /**
     * Returns how often a gram is expected in texts, by the rules that have the gram. Short grams
     * occur in more texts, whatever the rules are.
     */
    private static long cost(long gram, Map<Long, Integer> counts) {
        return (long) counts.getOrDefault(gram, 0) * (1 << 2 * (8 - size(gram)));
    }

    /** Returns the grams of a text, all of the largest size that the text has. */
    private static long[] grams(String text) {
        int size = Arrays.stream(SIZES).filter(s -> s <= text.length()).findFirst().orElseThrow();
        long mask = mask(size);
        long[] grams = new long[text.length() - size + 1];
        long gram = 0;
        for (int i = 0; i < text.length(); i++) {
            gram = (gram << 8 | text.charAt(i)) & mask;
            if (i >= size - 1) {
                grams[i - size + 1] = gram;
            }
        }
        return grams;
    }

    private static long mask(int size) {
        return size == 8 ? -1L : (1L << 8 * size) - 1;
    }

    /** Returns the size of a gram: texts have no NUL, so the first byte is not 0. */
    private static int size(long gram) {
        return 8 - Long.numberOfLeadingZeros(gram) / 8;
    }
}
