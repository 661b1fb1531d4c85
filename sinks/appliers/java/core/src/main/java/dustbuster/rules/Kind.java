package dustbuster.rules;

import java.util.List;
import java.util.Set;

/** The kinds of rules: which members a kind has, and how its edit is read. */
enum Kind {
    SUBSTRING("alpha", "beta", "at_start", "at_end", "direction") {
        @Override
        Edit edit(Fields in) throws InvalidListException {
            String alpha = in.needText("alpha");
            String beta = in.needText("beta");
            boolean start = in.needBool("at_start");
            boolean end = in.needBool("at_end");
            if (alpha.equals(beta)) {
                throw new InvalidListException("both sides of a rule are the same");
            }
            switch (in.need("direction")) {
                case "alpha_to_beta":
                    return new Substring(alpha, beta, start, end);
                case "beta_to_alpha":
                    return new Substring(beta, alpha, start, end);
                default:
                    throw new InvalidListException("direction is neither alpha_to_beta nor beta_to_alpha");
            }
        }
    },
    DROP("op", "params", "value", "pattern", "in") {
        @Override
        Edit edit(Fields in) throws InvalidListException {
            boolean path = "path".equals(place(in));
            List<String> names = in.texts("params");
            String value = in.text("value");
            if (in.has("pattern")) {
                if (!names.isEmpty() || value != null) {
                    throw new InvalidListException("a pattern of names stands beside a name or a value");
                }
                return pattern(in, path);
            }
            if (names.isEmpty() || names.size() > 6 || Set.copyOf(names).size() < names.size()) {
                throw new InvalidListException("a drop needs one to six different names");
            }
            if (value != null && names.size() > 1) {
                throw new InvalidListException("a value stands beside several names");
            }
            for (String name : names) {
                checkPiece(name, value, path);
            }
            if (value != null) {
                return drop(path, Pieces.valued(names.get(0), value), List.of(names.get(0) + "=" + value));
            }
            return drop(path, Pieces.named(names), names);
        }

        private Edit pattern(Fields in, boolean path) throws InvalidListException {
            Fields pattern = Fields.of(in.members().get("pattern"), "pattern");
            String prefix = pattern.needText("prefix");
            String type = pattern.need("class");
            checkName(prefix, path);
            Pieces pieces = type.equals("digits") ? Pieces.digits(prefix) : Pieces.hex(prefix);
            return drop(path, pieces, List.of(prefix.isEmpty() ? (path ? ";" : "?") : prefix));
        }
    },
    SET("op", "params", "to", "in") {
        @Override
        Edit edit(Fields in) throws InvalidListException {
            place(in);
            List<String> names = in.texts("params");
            String value = in.text("to");
            if (names.size() != 1 || value == null) {
                throw new InvalidListException("a set needs one name, and to, the new value");
            }
            checkPiece(names.get(0), value, false);
            return new SetValue(names.get(0), value);
        }
    },
    ORDER("op", "in") {
        @Override
        Edit edit(Fields in) throws InvalidListException {
            place(in);
            return new Order();
        }
    },
    FORM("form") {
        @Override
        Edit edit(Fields in) throws InvalidListException {
            String name = in.need("form");
            return dustbuster.rules.Form.of(name);
        }
    },
    TEMPLATE("where", "edit") {
        @Override
        Edit edit(Fields in) throws InvalidListException {
            return TemplateReader.read(in);
        }
    },
    SEGMENT("after", "class", "to") {
        @Override
        Edit edit(Fields in) throws InvalidListException {
            String after = in.needText("after");
            String to = in.needText("to");
            if (!after.startsWith("/") || !after.endsWith("/") || after.indexOf('?') >= 0) {
                throw new InvalidListException("after is not the beginning of a path from slash to slash");
            }
            if (!to.endsWith("/") || !after.startsWith(to)) {
                throw new InvalidListException("to is not a beginning of after that ends with a slash");
            }
            return new Segment(after, in.need("class").equals("digits") ? Pieces.digits("") : Pieces.hex(""), to);
        }
    };

    /** The members of the kind, beside those that all records have. */
    final Set<String> members;

    Kind(String... members) {
        this.members = Set.of(members);
    }

    /** Reads the edit of a record of this kind. */
    abstract Edit edit(Fields in) throws InvalidListException;

    /**
     * Returns the name of a rule that removes or changes this parameter, and no other, in the query, or null.
     * Exceptions may ask for its value.
     */
    String own(Fields in) throws InvalidListException {
        if (this != DROP && this != SET || in.has("value") || "path".equals(place(in))) {
            return null;
        }
        List<String> names = in.texts("params");
        return names.size() == 1 ? names.get(0) : null;
    }

    String words() {
        return "a rule of the kind " + name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns the kind of a record. */
    static Kind of(Fields in) throws InvalidListException {
        String kind = in.need("kind");
        switch (kind) {
            case "substring":
                return SUBSTRING;
            case "form":
                return FORM;
            case "template":
                return TEMPLATE;
            case "segment":
                return SEGMENT;
            case "parameter":
                return of(in.need("op"));
            default:
                throw new InvalidListException("kind \"" + kind + "\"");
        }
    }

    private static Kind of(String op) throws InvalidListException {
        switch (op) {
            case "drop":
                return DROP;
            case "set":
                return SET;
            case "order":
                return ORDER;
            default:
                throw new InvalidListException("op \"" + op + "\"");
        }
    }

    /** Reports whether some kind has a member of a name. */
    static boolean isMember(String name) {
        for (Kind kind : values()) {
            if (kind.members.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /** Returns a member that no record has, or null. */
    static String strange(Set<?> names) {
        for (Object name : names) {
            if (!isMember((String) name) && !UnknownParts.MEMBERS.contains(name)) {
                return "member \"" + name + "\"";
            }
        }
        return null;
    }

    private static Edit drop(boolean path, Pieces pieces, List<String> needs) {
        return path ? new PathDrop(pieces, needs) : new Drop(pieces, needs);
    }

    /** Returns where parameters stand: "query" or "path". */
    private static String place(Fields in) throws InvalidListException {
        String place = in.string("in");
        return place == null ? "query" : place;
    }

    /** Returns an error unless name=value is one piece of a query, or of a path segment. */
    static void checkPiece(String name, String value, boolean path) throws InvalidListException {
        if (name.isEmpty()) {
            throw new InvalidListException("an empty name of a parameter");
        }
        checkName(name, path);
        if (value != null) {
            refuse(value, path ? ";/?" : "&;", "a value of a parameter holds a separator");
        }
    }

    private static void checkName(String name, boolean path) throws InvalidListException {
        refuse(name, path ? "=;/?" : "=&;", "a name of a parameter holds a separator");
    }

    static void refuse(String text, String bytes, String why) throws InvalidListException {
        for (int i = 0; i < text.length(); i++) {
            if (bytes.indexOf(text.charAt(i)) >= 0) {
                throw new InvalidListException(why);
            }
        }
    }
}
