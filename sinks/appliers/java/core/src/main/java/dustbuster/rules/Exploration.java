package dustbuster.rules;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Marks a share of the URLs: those of which the first 8 bytes of HMAC-SHA-256(secret, day in UTC NUL
 * URL), as a big-endian number, are 0 modulo n. The processes of one crawler share a secret, and so
 * mark the same URLs.
 */
public final class Exploration {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int LEAST_SECRET = 16; // bytes
    private static final byte[] DRAWN = new byte[LEAST_SECRET]; // the secret of a process that is given none

    static {
        new SecureRandom().nextBytes(DRAWN);
    }

    private final SecretKeySpec key;
    private final long n;

    /**
     * Makes an exploration.
     *
     * @param secret a text of at least 16 bytes in UTF-8; or null for one that the process draws at random
     * @param n one URL in n is marked; 0 for none
     * @throws IllegalArgumentException if the secret is too short
     */
    public Exploration(String secret, long n) {
        byte[] text = secret == null ? DRAWN : secret.getBytes(StandardCharsets.UTF_8);
        if (text.length < LEAST_SECRET) {
            throw new IllegalArgumentException("the secret of exploration has " + text.length
                    + " bytes, and must have at least " + LEAST_SECRET);
        }
        this.key = new SecretKeySpec(text, ALGORITHM);
        this.n = n;
    }

    /** Makes an exploration, by a secret or null, of one URL in 1,000. */
    public static Exploration usual(String secret) {
        return new Exploration(secret, 1000);
    }

    /** Makes an exploration, by a secret or null, of a share from 0, none, to 1, all. */
    public static Exploration share(String secret, double share) {
        return new Exploration(secret, share <= 0 ? 0 : Math.max(1, Math.round(1 / share)));
    }

    /** Reports whether a URL is marked on the day of a time. The rules are not asked. */
    public boolean marks(String url, Instant time) {
        return n > 0 && Long.remainderUnsigned(hash(url, time), n) == 0;
    }

    long hash(String url, Instant time) {
        String day = time.atZone(ZoneOffset.UTC).toLocalDate().toString();
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return ByteBuffer.wrap(mac.doFinal((day + "\0" + url).getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA-256", e);
        }
    }

    static byte[] sha256(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
