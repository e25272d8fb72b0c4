public import Testing

/// Keeps what happened, in its order, and lets a test wait for it.
public final class Recorder<Item: Sendable>: Sendable {
    private let recorded = Awaited<[Item]>([])

    /// Begins with nothing.
    public init() {}

    /// What happened so far.
    public var items: [Item] { recorded.value }

    /// Something happened.
    public func record(_ item: Item) { recorded.change { $0.append(item) } }

    /// Waits until the items satisfy a condition; a wait in vain is an issue of the test.
    public func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until condition: @escaping @Sendable ([Item]) -> Bool
    ) async {
        await recorded.wait(sourceLocation: sourceLocation, until: condition)
    }

    /// Waits until the items satisfy a condition, or the wait is in vain or cancelled.
    ///
    /// - Parameter condition: Whether these are they.
    /// - Returns: Whether it came.
    public func comes(_ condition: @escaping @Sendable ([Item]) -> Bool) async -> Bool {
        await recorded.comes(condition)
    }
}
