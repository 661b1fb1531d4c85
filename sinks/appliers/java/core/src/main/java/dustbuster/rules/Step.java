package dustbuster.rules;

/**
 * One edit on the way to a canonical form.
 *
 * @param rule the rule's id
 * @param text the text after the edit; with the host before the path in a site of several hosts
 */
public record Step(String rule, String text) {}
