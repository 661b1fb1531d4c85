package dustbuster.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class FoundTest {
    @Test
    void theFirstStandsForItsForm() {
        Found found = new Found(10);
        assertEquals("/a?sid=1", found.of("/a?sid=1", "/a"));
        assertEquals("/a?sid=1", found.of("/a?sid=2", "/a"));
        assertEquals("/a?sid=1", found.of("/a?sid=1", "/a"), "what it returned, it returns again");
        assertEquals("/a?sid=1", found.of("/a", "/a"), "the form itself");
        assertEquals("/b", found.of("/b", "/b"));
    }

    @Test
    void forgetsTheOneNotAskedForLongest() {
        Found found = new Found(2);
        found.of("/a?1", "/a");
        found.of("/b?1", "/b");
        found.of("/a?2", "/a");
        found.of("/c?1", "/c");
        assertEquals("/a?1", found.of("/a?3", "/a"));
        assertEquals("/b?2", found.of("/b?2", "/b"), "forgotten, so that the next is fetched: no page is lost");
        assertThrows(IllegalArgumentException.class, () -> new Found(0));
    }

    @Test
    void isOneForEachList() {
        Live live = new Live();
        assertSame(Found.shared(live), Found.shared(live));
        assertNotSame(Found.shared(live), Found.shared(new Live()));
    }
}
