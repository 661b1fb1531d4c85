package dustbuster.rules;

/** Tokens of a text: runs of letters and digits, and single other characters. */
final class Tokens {
    private Tokens() {}

    /**
     * Reports whether a place in a text lies between two tokens, or at an end. An escape is one
     * character: no escape begins within another, since no hexadecimal digit is a percent sign.
     */
    static boolean isBoundary(String text, int at) {
        if (at == 0 || at == text.length()) {
            return true;
        }
        if (Bytes.isEscape(text, at - 1) || Bytes.isEscape(text, at - 2)) {
            return false;
        }
        return !(endsLetter(text, at) && beginsLetter(text, at));
    }

    private static boolean beginsLetter(String text, int at) {
        char c = text.charAt(at);
        return c == '%' ? Bytes.isEscape(text, at) && isLetter(Bytes.unescape(text, at)) : Bytes.isLetterOrDigit(c);
    }

    private static boolean endsLetter(String text, int end) {
        if (Bytes.isEscape(text, end - 3)) {
            return isLetter(Bytes.unescape(text, end - 3));
        }
        return Bytes.isLetterOrDigit(text.charAt(end - 1));
    }

    private static boolean isLetter(char unescaped) {
        return unescaped >= 0x80 || Bytes.isLetterOrDigit(unescaped);
    }
}
