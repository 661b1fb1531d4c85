package dustbuster.rules;

import java.util.List;
import java.util.Set;

/** A rule, ready to edit texts. Immutable. */
final class Rule {
    final String id;
    final Scope scope;
    final Edit edit;
    private final List<Scope> exceptScopes;
    private final Set<String> exceptTexts;
    private final Pieces skips;
    private final boolean editsPathParameters;

    Rule(String id, Scope scope, Edit edit, List<Scope> exceptScopes, Set<String> exceptTexts) {
        this.id = id;
        this.scope = scope;
        this.edit = edit;
        this.exceptScopes = exceptScopes;
        this.exceptTexts = exceptTexts;
        this.skips = edit.skips();
        this.editsPathParameters = edit.editsPathParameters();
    }

    /** Returns the edited text, or the same object if the rule does not change the text. */
    String apply(String text) {
        if (!editsPathParameters && !scope.holdsPath(text) || !scope.holdsBesidePath(text, skips)) {
            return text;
        }
        String out = edit.edit(text);
        if (out == text || out.equals(text)) {
            return text;
        }
        String path = editsPathParameters ? out : text;
        if (editsPathParameters && !scope.holdsPath(path) || isExcepted(text, path)) {
            return text;
        }
        return out;
    }

    /** Reports whether an exception holds for a text; scopes compare their path with another text's. */
    private boolean isExcepted(String text, String path) {
        if (exceptTexts.contains(text)) {
            return true;
        }
        for (Scope except : exceptScopes) {
            if (except.holdsPath(path) && except.holdsBesidePath(text, skips)) {
                return true;
            }
        }
        return false;
    }
}
