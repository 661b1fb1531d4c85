package dustbuster.rules;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * Marks a share of the URLs: those of which the first 8 bytes of SHA-256(day in UTC, NUL, URL), as a
 * big-endian number, are 0 modulo n.
 *
 * @param n one URL in n is marked; 0 for none
 */
public record Exploration(long n) {
    /** One URL in 1,000. */
    public static final Exploration DEFAULT = new Exploration(1000);

    /** Makes an exploration of a share from 0, none, to 1, all. */
    public static Exploration share(double share) {
        return new Exploration(share <= 0 ? 0 : Math.max(1, Math.round(1 / share)));
    }

    /** Reports whether a URL is marked on the day of a time. The rules are not asked. */
    public boolean marks(String url, Instant time) {
        return n > 0 && Long.remainderUnsigned(hash(url, time), n) == 0;
    }

    static long hash(String url, Instant time) {
        String day = time.atZone(ZoneOffset.UTC).toLocalDate().toString();
        return ByteBuffer.wrap(sha256((day + "\0" + url).getBytes(StandardCharsets.UTF_8))).getLong();
    }

    static byte[] sha256(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
