import Platform

/// Counts who holds how many places, such as open streams or connections, so that nobody has too many.
final class Places: Sendable {
    private struct State {
        var byHolder: [String: Int] = [:]
        var count = 0
    }

    /// The most places of one holder.
    let perHolder: Int
    private let all: Int
    private let state = Lock(State())

    init(perHolder: Int, all: Int) {
        self.perHolder = perHolder
        self.all = all
    }

    /// The number of places that are held.
    var count: Int { state.withLock(\.count) }

    /// Takes a place; nil if there are too many.
    func take(_ holder: String) -> Place? {
        let isRoom = state.withLock { state in
            guard state.count < all, state.byHolder[holder, default: 0] < perHolder else { return false }
            state.count += 1
            state.byHolder[holder, default: 0] += 1
            return true
        }
        return isRoom ? Place { [self] in giveBack(holder) } : nil
    }

    private func giveBack(_ holder: String) {
        state.withLock { state in
            state.count -= 1
            state.byHolder[holder] = state.byHolder[holder].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }

    /// A place, which is given back when nobody keeps this any more.
    final class Place: Sendable {
        private let giveBack: @Sendable () -> Void

        init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

        deinit { giveBack() }
    }
}

extension Places {
    /// Takes a place for a stream of events or a file.
    ///
    /// - Throws: ``Problem`` if there are too many.
    func takeStream(_ account: Account) throws(Problem) -> Place {
        guard let place = take(account.key) else {
            throw Problem.tooMany(
                "there are too many open streams and files: close some, \(perHolder) are possible here", wait: 15)
        }
        return place
    }
}
