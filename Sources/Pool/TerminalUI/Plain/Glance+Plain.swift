public import PoolModel

extension Glance {
    /// The glance in sentences, one fact a line, words instead of signs: for pipes, logs and screen readers.
    ///
    /// No line contains a drawing character, a line break or an escape sequence, whatever the names contain.
    public func plainLines() -> [String] {
        PlainLine.report(self).map(\.text)
    }
}
