package dustbuster.rules;

/** The error of a rule whose meaning this version does not know: the rule's site has no rules. */
final class Unknown extends Exception {
    private static final long serialVersionUID = 1;

    Unknown(String what) {
        super(what + " is unknown to this version");
    }
}
