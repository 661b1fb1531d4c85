package dustbuster.rules;

import java.util.List;

/** What a rule does to a text in its scope. Immutable. */
interface Edit {
    /** Returns the edited text, or the same object if there is nothing to edit. */
    String edit(String text);

    /** The pieces of the query on which the rule's scope tests no condition. */
    default Pieces skips() {
        return Pieces.NONE;
    }

    /** Reports whether the scope's path is compared with the path that the edit would leave. */
    default boolean editsPathParameters() {
        return false;
    }

    /** Texts of which an edited text holds at least one. Empty if there is no such list. */
    List<String> needs();
}
