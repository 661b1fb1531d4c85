package dustbuster.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sorts the pieces that have a name by name, in byte order, stably. */
record Order() implements Edit {
    private record Piece(int from, int to, String name) {}

    @Override
    public String edit(String text) {
        List<Piece> pieces = pieces(text);
        List<Piece> sorted = new ArrayList<>(pieces);
        sorted.sort(Comparator.comparing(Piece::name)); // byte strings: characters compare as bytes
        if (sorted.equals(pieces)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        int copied = 0;
        for (int i = 0; i < pieces.size(); i++) {
            out.append(text, copied, pieces.get(i).from);
            out.append(text, sorted.get(i).from, sorted.get(i).to);
            copied = pieces.get(i).to;
        }
        return out.append(text, copied, text.length()).toString();
    }

    private static List<Piece> pieces(String text) {
        List<Piece> pieces = new ArrayList<>();
        for (int from = Query.pathEnd(text) + 1; from <= text.length(); ) {
            int to = Query.pieceEnd(text, from);
            int end = Query.nameEnd(text, from, to);
            if (end > from) {
                pieces.add(new Piece(from, to, text.substring(from, end)));
            }
            from = to + 1;
        }
        return pieces;
    }

    @Override
    public List<String> needs() {
        return List.of("&", ";");
    }
}
