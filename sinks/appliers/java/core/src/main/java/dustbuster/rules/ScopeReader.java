package dustbuster.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads scopes and exceptions of records. */
final class ScopeReader {
    private static final int CONDITIONS = 2;
    private static final int SCOPES = 3;
    private static final int TEXTS = 20;

    private ScopeReader() {}

    /** The exceptions of a rule. */
    record Exceptions(List<Scope> scopes, Set<String> texts) {}

    /** Reads a scope. own is the parameter for whose value the scope may ask, or null. */
    static Scope scope(Object value, String own) throws InvalidListException {
        Fields in = Fields.of(value, "the scope");
        String path = in.text("path");
        String prefix = in.text("prefix");
        if (prefix != null && prefix.isEmpty()) {
            throw new InvalidListException("an empty prefix in a scope");
        }
        if (path != null) {
            checkPath(path);
        }
        return new Scope(path, prefix, where(in, own));
    }

    private static void checkPath(String path) throws InvalidListException {
        if (path.indexOf('?') >= 0) {
            throw new InvalidListException("the path of a scope holds a question mark");
        }
        int wild = path.indexOf(Scope.WILD);
        if (wild >= 0 && path.indexOf(Scope.WILD, wild + 2) >= 0) {
            throw new InvalidListException("the path of a scope has several segments *");
        }
    }

    private static List<Condition> where(Fields in, String own) throws InvalidListException {
        List<Condition> where = new ArrayList<>();
        for (Object value : in.some("where")) {
            Fields condition = Fields.of(value, "a condition");
            where.add(condition(condition, own));
        }
        if (where.size() > CONDITIONS) {
            throw new InvalidListException(where.size() + " conditions in a scope, at most " + CONDITIONS);
        }
        if (where.size() == 2 && where.get(0).equals(where.get(1))) {
            throw new InvalidListException("two equal conditions in a scope");
        }
        return List.copyOf(where);
    }

    private static Condition condition(Fields in, String ownOfRule) throws InvalidListException {
        String param = in.needText("param");
        String value = in.text("value");
        String begins = in.text("begins");
        boolean any = Boolean.TRUE.equals(in.bool("valued"));
        boolean own = Boolean.TRUE.equals(in.bool("own"));
        if (value != null && any) {
            throw new InvalidListException("a condition asks for one value and for any");
        }
        if (begins != null && (!own || begins.isEmpty())) {
            throw new InvalidListException("a condition asks for an empty beginning, or for one without own");
        }
        if (own && (any || (value == null) == (begins == null))) {
            throw new InvalidListException("a condition on the own parameter asks for a value, or for how the value begins");
        }
        if (own && !param.equals(ownOfRule)) {
            throw new InvalidListException("the rule does not edit the parameter \"" + param + "\" alone, in the query");
        }
        Kind.checkPiece(param, value != null ? value : begins, false);
        return new Condition(param, value, any, own, begins);
    }

    static Exceptions exceptions(Object value, String own) throws InvalidListException {
        if (value == null) {
            return new Exceptions(List.of(), Set.of());
        }
        Fields in = Fields.of(value, "except");
        List<Scope> scopes = new ArrayList<>();
        for (Object scope : in.some("scopes")) {
            scopes.add(scope(scope, own));
        }
        List<String> texts = in.texts("urls");
        if (scopes.contains(Scope.SITE) || texts.contains("")) {
            throw new InvalidListException("an empty scope or URL in except");
        }
        if (scopes.size() > SCOPES || texts.size() > TEXTS || scopes.isEmpty() && texts.isEmpty()) {
            throw new InvalidListException(
                    "except has " + scopes.size() + " scopes and " + texts.size() + " urls, at most 3 and 20, at least one");
        }
        return new Exceptions(List.copyOf(scopes), Set.copyOf(new HashSet<>(texts)));
    }
}
