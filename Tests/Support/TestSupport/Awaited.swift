internal import Platform
public import Testing

/// A value that any thread changes, and that tests wait for until it is as they want it.
///
/// Nobody waits forever: a wait that is in vain for twenty minutes (for one, after the first in the process that was), or whose
/// test is cancelled because its own time is over, is an issue of the test, with the value as it was.
public final class Awaited<Value: Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        let isWanted: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var lastNumber = 0
    }

    private let state: Lock<State>

    /// Begins with a value.
    public init(_ value: Value) {
        state = Lock(State(value: value))
    }

    /// The value now.
    public var value: Value { state.withLock(\.value) }

    /// Changes the value, and wakes those whose wish that fulfils.
    ///
    /// - Parameter body: Changes it; runs under the lock of the value.
    public func change(_ body: (inout Value) -> Void) {
        let ready = state.withLock { state in
            body(&state.value)
            let ready = state.waiters.filter { $0.isWanted(state.value) }
            state.waiters.removeAll { waiter in ready.contains { $0.number == waiter.number } }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume(returning: true) }
    }

    /// Waits until the value is as wanted; a wait in vain is an issue of the test.
    ///
    /// - Parameters:
    ///   - sourceLocation: Where the issue belongs.
    ///   - isWanted: Whether this is it; runs under the lock of the value, on any thread.
    /// - Returns: Whether it came.
    @discardableResult
    public func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until isWanted: @escaping @Sendable (Value) -> Bool
    ) async -> Bool {
        let hasCome = await comes(isWanted)
        if !hasCome { Issue.record("waited in vain; it is \(value)", sourceLocation: sourceLocation) }
        return hasCome
    }

    /// Waits until the value is as wanted, or the wait is in vain.
    ///
    /// - Parameter isWanted: Whether this is it; runs under the lock of the value, on any thread.
    /// - Returns: Whether it came.
    public func comes(_ isWanted: @escaping @Sendable (Value) -> Bool) async -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let alarm = Patience.begin { [weak self] in self?.giveUp(number) }
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(Waiter(number: number, isWanted: isWanted, continuation: continuation))
            }
        } onCancel: {
            giveUp(number)
        }
        alarm.cancel()
        return hasCome
    }

    /// Answers at once, or notes the waiter.
    private func begin(_ waiter: Waiter) {
        let answer: Bool? = state.withLock { state in
            if waiter.isWanted(state.value) { return true }
            if Task.isCancelled { return false }
            state.waiters.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(returning: answer) }
    }

    /// Nobody is there if it was answered, or if a cancellation came first, which the waiter sees by itself.
    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }
}
