package dustbuster.rules;

import java.util.HexFormat;

/**
 * What a crawler saw under a URL as found and under its canonical form. A daemon tries the pair of
 * URLs itself: a report decides nothing.
 *
 * @param site the site whose rules changed the URL
 * @param found the URL as found, answered with a status from 200 to 299
 * @param canonical its canonical form, another URL
 * @param foundSha256 the SHA-256 in small hexadecimal digits of the body of the last answer after
 *     redirects, without transfer and content encoding
 * @param canonicalSha256 the same of the canonical form, whatever the status
 * @param rules the version of the list in use; may be empty
 * @param reporter a name of the crawler; may be empty
 */
public record Report(
        String site,
        String found,
        String canonical,
        String foundSha256,
        String canonicalSha256,
        String rules,
        String reporter) {

    /** Makes the report of an explored URL from the two bodies. */
    public static Report of(Explanation url, byte[] foundBody, byte[] canonicalBody, String rules, String reporter) {
        return new Report(
                url.site(), url.url(), url.canonical(), hex(foundBody), hex(canonicalBody), rules, reporter);
    }

    /** Returns the report as {@code /api/v1/report} and the topic dust.reports (key: the site) take it. */
    public String json() {
        return "{\"site\":" + Json.quote(site)
                + ",\"found\":" + Json.quote(found)
                + ",\"canonical\":" + Json.quote(canonical)
                + ",\"sha256\":[" + Json.quote(foundSha256) + "," + Json.quote(canonicalSha256) + "]"
                + optional("rules", rules)
                + optional("reporter", reporter)
                + "}";
    }

    private static String optional(String name, String value) {
        return value.isEmpty() ? "" : ",\"" + name + "\":" + Json.quote(value);
    }

    private static String hex(byte[] body) {
        return HexFormat.of().formatHex(Exploration.sha256(body));
    }
}
