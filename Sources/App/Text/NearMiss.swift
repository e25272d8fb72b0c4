/// Finds what a person probably meant.
package enum NearMiss {
    /// The candidate that differs least from a text, in any case; nil if it differs too much.
    package static func nearest(to text: String, in candidates: some Sequence<String>) -> String? {
        let text = text.lowercased()
        let ranked = candidates.map { (candidate: $0, distance: distance(text, $0.lowercased())) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        // Of a short text at least half must be right.
        let limit = text.count < 4 ? text.count / 2 : max(2, text.count / 4)
        return best.distance <= limit ? best.candidate : nil
    }

    /// How many characters must be inserted, removed or replaced.
    ///
    /// Source: Levenshtein, "Binary codes capable of correcting deletions, insertions and reversals" (1966).
    package static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (line, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (character == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
