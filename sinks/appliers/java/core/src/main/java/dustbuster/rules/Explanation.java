package dustbuster.rules;

import java.util.List;

/**
 * The canonical form of a URL, and the edits that lead to the form. There are none if the rules
 * have no effect on the URL.
 *
 * @param site the name of the site whose rules count for the URL, or null if the URL is left alone
 */
public record Explanation(String url, String canonical, String site, List<Step> steps) {}
