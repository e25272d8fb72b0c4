/// Seeds in a row.
enum SeedRange {
    /// What may be written, for messages.
    static let expected = "a first and a last seed such as 0-999"

    /// Reads the first and the last seed; nil if the text is no range.
    static func seeds(_ text: String) -> ClosedRange<UInt64>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last,
            last - first < UInt64(Int.max)
        else { return nil }
        return first...last
    }

    /// So many seeds from the first one on; nil if there are none, or if they go beyond the last number.
    static func seeds(from first: UInt64, count: Int) -> ClosedRange<UInt64>? {
        guard count > 0 else { return nil }
        let (last, overflow) = first.addingReportingOverflow(UInt64(count) - 1)
        return overflow ? nil : first...last
    }
}
