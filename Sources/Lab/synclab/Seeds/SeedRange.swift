/// A range of consecutive seeds.
enum SeedRange {
    /// The most seeds in a range, so that they can be counted.
    private static let countMax = UInt64(Int.max)

    /// Reads the first and the last seed; nil if the text is no range.
    static func seeds(_ text: String) -> ClosedRange<UInt64>? {
        guard let (first, last) = ends(text), first <= last, last - first < countMax else { return nil }
        return first...last
    }

    /// What is wrong with a text and what is allowed, for error messages; nil if it is a range.
    static func complaint(_ text: String) -> String? {
        guard let (first, last) = ends(text) else {
            return "expected a first and a last seed of at most \(UInt64.max), such as 0-999"
        }
        guard first <= last else { return "expected a last seed that is not below the first one, such as 0-999" }
        return last - first < countMax ? nil : "expected at most \(countMax) seeds, such as 0-\(countMax - 1)"
    }

    private static func ends(_ text: String) -> (first: UInt64, last: UInt64)? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]) else { return nil }
        return (first, last)
    }

    /// A number of seeds from the first one on; nil if the number is 0, or if they go beyond the last number.
    static func seeds(from first: UInt64, count: Int) -> ClosedRange<UInt64>? {
        guard count > 0 else { return nil }
        let (last, overflow) = first.addingReportingOverflow(UInt64(count) - 1)
        return overflow ? nil : first...last
    }
}
