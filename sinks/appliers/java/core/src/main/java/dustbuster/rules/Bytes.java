package dustbuster.rules;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Byte strings: one byte in each character. */
final class Bytes {
    private Bytes() {}

    /** Returns the UTF-8 of a text as a byte string, or null for a text that UTF-8 cannot write. */
    static String of(String text) {
        if (isAscii(text)) {
            return text;
        }
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return new String(utf8.array(), 0, utf8.limit(), StandardCharsets.ISO_8859_1);
        } catch (CharacterCodingException e) { // half of a surrogate pair
            return null;
        }
    }

    /** Returns the text of a byte string in UTF-8. */
    static String text(String bytes) {
        if (isAscii(bytes)) {
            return bytes;
        }
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Reports whether a text has more than a number of bytes in UTF-8. */
    static boolean isLonger(String text, int bytes) {
        return text.length() > bytes
                || text.length() > bytes / 3 && text.getBytes(StandardCharsets.UTF_8).length > bytes;
    }

    static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Reports whether a byte can stand in a URL as it is. */
    static boolean isPlain(char c) {
        return c > ' ' && c < 0x7F && c != '"' && c != '<' && c != '>';
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static boolean isLetterOrDigit(char c) {
        return isDigit(c) || (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    }

    static boolean isHex(char c) {
        return isDigit(c) || (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
    }

    /** Returns the value of a hexadecimal digit. */
    static int hex(char c) {
        return isDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
    }

    /** Reports whether an escape stands at a place: % and two hexadecimal digits. */
    static boolean isEscape(String text, int at) {
        return at >= 0
                && at + 2 < text.length()
                && text.charAt(at) == '%'
                && isHex(text.charAt(at + 1))
                && isHex(text.charAt(at + 2));
    }

    /** Returns the byte that an escape stands for. */
    static char unescape(String text, int at) {
        return (char) (hex(text.charAt(at + 1)) << 4 | hex(text.charAt(at + 2)));
    }

    /** Returns the capital letter of a small letter, and any other character unchanged. */
    static char capital(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 0x20) : c;
    }

    /** Returns the small letter of a capital letter, and any other character unchanged. */
    static char small(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 0x20) : c;
    }

    /** Returns a text with small letters in place of A to Z, or the same object if there are none. */
    static String lower(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != small(text.charAt(i))) {
                char[] out = text.toCharArray();
                for (int k = i; k < out.length; k++) {
                    out[k] = small(out[k]);
                }
                return new String(out);
            }
        }
        return text;
    }
}
