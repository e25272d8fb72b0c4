import Platform

/// Limits how many slots, such as open streams or connections, each holder and all together may have.
final class ConcurrencyLimit: Sendable {
    private struct State {
        var byHolder: [String: Int] = [:]
        var count = 0
    }

    /// The maximum number of slots of one holder.
    let perHolder: Int
    private let all: Int
    private let state = Lock(State())

    init(perHolder: Int, all: Int) {
        self.perHolder = perHolder
        self.all = all
    }

    /// The number of slots that are held.
    var count: Int { state.withLock(\.count) }

    /// Takes a slot; nil if there are too many.
    func take(_ holder: String) -> Slot? {
        let isRoom = state.withLock { state in
            guard state.count < all, state.byHolder[holder, default: 0] < perHolder else { return false }
            state.count += 1
            state.byHolder[holder, default: 0] += 1
            return true
        }
        return isRoom ? Slot { [self] in giveBack(holder) } : nil
    }

    private func giveBack(_ holder: String) {
        state.withLock { state in
            state.count -= 1
            state.byHolder[holder] = state.byHolder[holder].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }

    /// A slot; it is free again when the last reference to this is gone.
    final class Slot: Sendable {
        private let giveBack: @Sendable () -> Void

        init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

        deinit { giveBack() }
    }
}
