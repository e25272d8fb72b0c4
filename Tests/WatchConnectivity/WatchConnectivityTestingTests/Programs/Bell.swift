import Platform

/// Rings when something has happened, for anybody who waits for something to be so.
final class Bell: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// Something has happened.
    func ring() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns true as soon as something is so, looking again whenever the bell rings; false if the task is cancelled.
    nonisolated(nonsending) func wait(until isSo: () -> Bool) async -> Bool {
        while !Task.isCancelled {
            let count = state.withLock(\.count)
            if isSo() { return true }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let hasRung = state.withLock { state in
                        if state.count != count { return true }
                        state.waiting.append(continuation)
                        return false
                    }
                    if hasRung { continuation.resume() }
                }
            } onCancel: {
                ring()
            }
        }
        return false
    }
}
