import Platform

/// How many requests there were, by route and status.
package final class RequestCounts: Sendable {
    private struct Key: Hashable {
        var route: String
        var status: Int
    }

    private let counts = Lock<[Key: Int]>([:])

    package func note(route: String, status: Int) {
        counts.withLock { $0[Key(route: route, status: status), default: 0] += 1 }
    }

    /// The counts, sorted.
    package var all: [(route: String, status: Int, count: Int)] {
        counts.withLock { $0.map { (route: $0.key.route, status: $0.key.status, count: $0.value) } }
            .sorted { ($0.route, $0.status) < ($1.route, $1.status) }
    }
}
