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
    DROP("op", "param", "params", "value", "pattern", "in") {
        @Override
        Edit edit(Fields in) throws InvalidListException, Unknown {
            boolean path = "path".equals(place(in));
            List<String> names = names(in);
            String value = in.text("value");
            if (in.has("pattern")) {
                if (!names.isEmpty() || value != null) {
                    throw new InvalidListException("a pattern of names stands beside a name or a value");
                }
                return pattern(in, path);
            }
            boolean two = names.size() == 2;
            if (names.isEmpty() || names.size() > 2 || two && names.get(0).equals(names.get(1))) {
                throw new InvalidListException("a drop needs one name, or two different names");
            }
            if (value != null && (two || in.has("param"))) {
                throw new InvalidListException("a value stands beside two names, or beside param");
            }
            for (String name : names) {
                checkPiece(name, value, path);
            }
            if (value != null) {
                return drop(path, Pieces.valued(names.get(0), value), List.of(names.get(0) + "=" + value));
            }
            return drop(path, two ? Pieces.named(names.get(0), names.get(1)) : Pieces.named(names.get(0)), names);
        }

        private Edit pattern(Fields in, boolean path) throws InvalidListException, Unknown {
            Fields pattern = Fields.of(in.members().get("pattern"), "pattern");
            String name = pattern.unknown(Set.of("prefix", "class"));
            if (name != null) {
                throw new Unknown("member \"" + name + "\" of a pattern");
            }
            String prefix = pattern.needText("prefix");
            String type = pattern.need("class");
            if (!type.equals("digits") && !type.equals("hex")) {
                throw new Unknown("class \"" + type + "\"");
            }
            checkName(prefix, path);
            Pieces pieces = type.equals("digits") ? Pieces.digits(prefix) : Pieces.hex(prefix);
            return drop(path, pieces, List.of(prefix.isEmpty() ? (path ? ";" : "?") : prefix));
        }
    },
    SET("op", "param", "params", "value", "to", "in") {
        @Override
        Edit edit(Fields in) throws InvalidListException, Unknown {
            requireQuery(in);
            List<String> names = names(in);
            String value = in.has("param") ? in.text("value") : in.text("to");
            if (names.size() != 1 || value == null || in.has("to") && in.has("value")) {
                throw new InvalidListException("a set needs one name, and to, the new value");
            }
            checkPiece(names.get(0), value, false);
            return new SetValue(names.get(0), value);
        }
    },
    ORDER("op", "in") {
        @Override
        Edit edit(Fields in) throws InvalidListException, Unknown {
            requireQuery(in);
            return new Order();
        }
    },
    FORM("form") {
        @Override
        Edit edit(Fields in) throws InvalidListException, Unknown {
            String name = in.need("form");
            Form form = dustbuster.rules.Form.of(name);
            if (form == null) {
                throw new Unknown("form \"" + name + "\"");
            }
            return form;
        }
    },
    TEMPLATE("where", "edit") {
        @Override
        Edit edit(Fields in) throws InvalidListException, Unknown {
            return TemplateReader.read(in);
        }
    };

    /** The members of the kind, beside those that all records have. */
    final Set<String> members;

    Kind(String... members) {
        this.members = Set.of(members);
    }

    /** Reads the edit of a record of this kind. */
    abstract Edit edit(Fields in) throws InvalidListException, Unknown;

    String words() {
        return "a rule of the kind " + name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns the kind of a record. */
    static Kind of(Fields in) throws InvalidListException, Unknown {
        String kind = in.need("kind");
        switch (kind) {
            case "substring":
                return SUBSTRING;
            case "form":
                return FORM;
            case "template":
                return TEMPLATE;
            case "parameter":
                return of(in.need("op"));
            default:
                throw new Unknown("kind \"" + kind + "\"");
        }
    }

    private static Kind of(String op) throws Unknown {
        switch (op) {
            case "drop":
                return DROP;
            case "set":
                return SET;
            case "order":
                return ORDER;
            default:
                throw new Unknown("op \"" + op + "\"");
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

    private static Edit drop(boolean path, Pieces pieces, List<String> needs) {
        return path ? new PathDrop(pieces, needs) : new Drop(pieces, needs);
    }

    private static List<String> names(Fields in) throws InvalidListException {
        List<String> names = in.texts("params");
        if (in.has("param")) {
            names.add(in.text("param"));
        }
        return names;
    }

    /** Returns where parameters stand: "query" or "path". */
    private static String place(Fields in) throws InvalidListException, Unknown {
        String place = in.string("in");
        if (place != null && !place.equals("query") && !place.equals("path")) {
            throw new Unknown("place \"" + place + "\" of parameters");
        }
        return place == null ? "query" : place;
    }

    private static void requireQuery(Fields in) throws InvalidListException, Unknown {
        if (!place(in).equals("query")) {
            throw new InvalidListException("only a drop is of parameters in the path");
        }
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
