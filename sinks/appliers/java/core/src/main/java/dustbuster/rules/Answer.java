package dustbuster.rules;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads the bodies of answers, for a time. Java's client bounds the time of the headers alone. */
final class Answer {
    private Answer() {}

    /** What is read of a body. */
    interface Reading<T, E extends Exception> {
        T of(InputStream body) throws IOException, E;
    }

    /**
     * Returns what a reading makes of a body. When patience ends, the body is closed.
     *
     * @param what begins the message of the error of a late body
     * @param start of the patience, on the clock in nanoseconds
     */
    static <T, E extends Exception> T whole(
            InputStream body, String what, long start, Duration patience, Reading<T, E> reading) throws IOException, E {
        AtomicBoolean late = new AtomicBoolean();
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                () -> {
                    late.set(true);
                    try {
                        body.close();
                    } catch (IOException e) { // it has ended by itself
                    }
                },
                CompletableFuture.delayedExecutor(
                        Math.max(0, start + patience.toNanos() - System.nanoTime()), TimeUnit.NANOSECONDS));
        try {
            T made = reading.of(body);
            if (late.get()) {
                throw new IOException("closed");
            }
            return made;
        } catch (IOException e) {
            throw late.get() ? new IOException(what + ": no whole answer in " + patience.toSeconds() + " seconds", e) : e;
        } finally {
            end.cancel(false);
        }
    }
}
