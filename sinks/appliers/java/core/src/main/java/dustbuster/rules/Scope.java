package dustbuster.rules;

import java.util.List;

/** The texts that a rule edits. Path and prefix are null if they do not count. */
record Scope(String path, String prefix, List<Condition> where) {
    static final Scope SITE = new Scope(null, null, List.of());

    /** The segment that stands for any one segment, between its slashes. */
    static final String WILD = "/*/";

    /** Reports whether all but the path hold. The conditions are tested without the pieces to skip. */
    boolean holdsBesidePath(String text, Pieces skip) {
        if (prefix != null && !text.startsWith(prefix)) {
            return false;
        }
        for (int i = 0; i < where.size(); i++) {
            if (!where.get(i).holds(text, skip)) {
                return false;
            }
        }
        return true;
    }

    /** Reports whether the path is the scope's. */
    boolean holdsPath(String text) {
        return path == null || isPath(text, path);
    }

    boolean holds(String text) {
        return holdsPath(text) && holdsBesidePath(text, Pieces.NONE);
    }

    private static boolean isPath(String text, String path) {
        if (text.startsWith(path) && (text.length() == path.length() || text.charAt(path.length()) == '?')) {
            return true;
        }
        int wild = path.indexOf(WILD);
        if (wild < 0) {
            return false;
        }
        int before = wild + 1; // the path's bytes before the wildcard
        int after = path.length() - before - 1;
        int middle = Query.pathEnd(text) - before - after;
        if (middle <= 0
                || !text.startsWith(path.substring(0, before))
                || !text.startsWith(path.substring(before + 1), before + middle)) {
            return false;
        }
        return text.substring(before, before + middle).indexOf('/') < 0;
    }
}
