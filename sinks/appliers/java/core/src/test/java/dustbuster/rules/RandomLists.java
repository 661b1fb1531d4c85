package dustbuster.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random records and texts over few words, so that rules often meet and undo each other. */
final class RandomLists {
    private static final String[] WORDS = {"a", "b", "ab", "id", "sid", "v1234", "index", "/", "//", ".", "%41", "%2f", "x1", "B", "1234", "0a1b2c3d"};
    private static final String[] NAMES = {"a", "b", "id", "sid", "v1234", "v00ff12ab", "B"};

    private final Random random;

    RandomLists(long seed) {
        random = new Random(seed);
    }

    List<String> list(int size) {
        List<String> list = new ArrayList<>();
        for (int rank = 1; rank <= size; rank++) {
            String name = pick(NAMES);
            boolean own = random.nextInt(6) == 0;
            String kind = own ? own(name) : kind();
            String except = own ? ",\"except\":{\"scopes\":[{\"where\":[" + ownCondition(name) + "]}]}"
                    : random.nextInt(5) == 0 ? ",\"except\":" + except() : "";
            list.add("{\"schema\":2,\"site\":\"h\",\"id\":\"r" + rank + "\",\"state\":\"valid\",\"rank\":" + rank + ","
                    + kind + ",\"scope\":" + scope() + except + "}");
        }
        return list;
    }

    String text() {
        StringBuilder text = new StringBuilder(path());
        if (random.nextInt(4) > 0) {
            text.append('?');
            for (int n = random.nextInt(4); n >= 0; n--) {
                text.append(piece()).append(n == 0 ? "" : pick("&", "&", "&", ";"));
            }
        }
        return text.toString();
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        for (int n = random.nextInt(4); n >= 0; n--) {
            path.append('/').append(random.nextInt(4) == 0 ? "" : pick(WORDS));
            if (random.nextInt(6) == 0) {
                path.append(';').append(piece());
            }
        }
        return path.toString();
    }

    private String piece() {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> "=" + pick("1", "a");
            case 2 -> pick(NAMES);
            default -> pick(NAMES) + "=" + pick("", "1", "2", "a", "%41");
        };
    }

    private String kind() {
        return switch (random.nextInt(11)) {
            case 0, 1, 2 -> substring();
            case 3, 4 -> drop();
            case 5 -> "\"kind\":\"parameter\",\"op\":\"set\",\"params\":[\"" + pick(NAMES) + "\"],\"to\":\"" + pick("", "1", "a") + "\"";
            case 6 -> "\"kind\":\"parameter\",\"op\":\"order\"";
            case 7, 8 -> "\"kind\":\"form\",\"form\":\"" + pick("slashes", "empty-query", "empty-value", "escapes", "case") + "\"";
            case 9 -> segment();
            default -> template();
        };
    }

    private String segment() {
        String after = pick("/", "/a/", "/a/b/");
        return "\"kind\":\"segment\",\"after\":\"" + after + "\",\"class\":\"" + pick("digits", "hex") + "\",\"to\":\"" + pick("/", after) + "\"";
    }

    private String substring() {
        String alpha = random.nextInt(6) == 0 ? "" : side();
        String beta = side();
        if (alpha.equals(beta)) {
            beta += "b";
        }
        return "\"kind\":\"substring\",\"alpha\":\"" + alpha + "\",\"beta\":\"" + beta + "\",\"at_start\":" + (random.nextInt(5) == 0)
                + ",\"at_end\":" + (random.nextInt(5) == 0) + ",\"direction\":\"" + pick("alpha_to_beta", "beta_to_alpha") + "\"";
    }

    private String side() {
        return pick(WORDS) + (random.nextBoolean() ? "" : pick(WORDS));
    }

    private String drop() {
        String in = random.nextInt(3) == 0 ? ",\"in\":\"path\"" : "";
        String which = switch (random.nextInt(4)) {
            case 0 -> "\"pattern\":{\"prefix\":\"" + pick("", "v") + "\",\"class\":\"" + pick("digits", "hex") + "\"}";
            case 1 -> "\"params\":[\"a\",\"" + pick("b", "id", "b\",\"id", "b\",\"c\",\"d\",\"id\",\"v") + "\"]";
            case 2 -> "\"params\":[\"" + pick(NAMES) + "\"],\"value\":\"" + pick("", "1", "a") + "\"";
            default -> "\"params\":[\"" + pick(NAMES) + "\"]";
        };
        return "\"kind\":\"parameter\",\"op\":\"drop\"," + which + in;
    }

    private String template() {
        String first = random.nextBoolean() ? "*" : pick("a", "b", "index");
        String edit = pick("\"id\":\"drop\"", "\"/1\":{\"copy\":\"id\"}", "\"/0\":\"drop\"", "\"id\":{\"set\":\"1\"}", "\"v\":{\"copy\":\"/1\"}");
        return "\"kind\":\"template\",\"where\":{\"/0\":\"" + first + "\",\"/1\":\"*\",\"id\":\"*\"},\"edit\":{" + edit + "}";
    }

    private String scope() {
        return switch (random.nextInt(8)) {
            case 0 -> "{\"path\":\"" + pick("/a", "/a/b", "/*/b", "/a/*/", "/", "/ab//", "/index/*/a") + "\"}";
            case 1 -> "{\"prefix\":\"" + pick("/", "/a", "/ab/", "/index?") + "\"}";
            case 2 -> "{\"where\":[" + condition("a") + "]}";
            case 3 -> "{\"where\":[" + condition("b") + "," + condition("id") + "]}";
            default -> "{}";
        };
    }

    private String condition(String name) {
        return "{\"param\":\"" + name + "\"" + pick("", ",\"value\":\"1\"", ",\"valued\":true") + "}";
    }

    private String own(String name) {
        return "\"kind\":\"parameter\",\"op\":" + pick("\"drop\"", "\"set\",\"to\":\"1\"") + ",\"params\":[\"" + name + "\"]";
    }

    private String ownCondition(String name) {
        return "{\"param\":\"" + name + "\",\"own\":true" + pick(",\"value\":\"1\"", ",\"value\":\"\"", ",\"begins\":\"1\"", ",\"begins\":\"%\"") + "}";
    }

    private String except() {
        return random.nextBoolean() ? "{\"urls\":[\"" + text() + "\"]}" : "{\"scopes\":[{\"prefix\":\"" + pick("/a", "/b") + "\"}]}";
    }

    private String pick(String... words) {
        return words[random.nextInt(words.length)];
    }
}
