import Platform

/// Counts the open streams, so that nobody has too many.
final class StreamRegistry: Sendable {
    private struct State {
        var bySession: [String: Int] = [:]
        var count = 0
    }

    private let perSession: Int
    private let all: Int
    private let state = Lock(State())

    init(perSession: Int, all: Int) {
        self.perSession = perSession
        self.all = all
    }

    /// The number of open streams.
    var count: Int { state.withLock(\.count) }

    /// Counts one more stream of a session; false if there are too many.
    func open(_ key: String) -> Bool {
        state.withLock { state in
            guard state.count < all, state.bySession[key, default: 0] < perSession else { return false }
            state.count += 1
            state.bySession[key, default: 0] += 1
            return true
        }
    }

    /// Counts one stream less.
    func close(_ key: String) {
        state.withLock { state in
            state.count -= 1
            state.bySession[key] = state.bySession[key].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }
}
