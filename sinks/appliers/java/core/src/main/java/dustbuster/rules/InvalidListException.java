package dustbuster.rules;

/** The error of a list that is refused: the message names the line or the rule, and the cause. */
public final class InvalidListException extends Exception {
    private static final long serialVersionUID = 1;

    public InvalidListException(String message) {
        super(message);
    }
}
