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

/// The places for open streams and files.
///
/// Guests of links have a part of them, so that a link that has spread keeps out neither accounts nor other links.
struct StreamPlaces: Sendable {
    private let all: ConcurrencyLimit
    private let ofLinks: ConcurrencyLimit

    /// The places in which a stream stands, free again when the last reference is gone.
    struct Place: Sendable {
        fileprivate let slots: [ConcurrencyLimit.Slot]
    }

    init(_ settings: WebSettings) {
        all = ConcurrencyLimit(perHolder: settings.streamsPerSession, all: settings.streams)
        ofLinks = ConcurrencyLimit(perHolder: settings.streamsPerLink, all: settings.streamsOfLinks)
    }

    /// The number of open streams and files.
    var count: Int { all.count }

    /// Takes a place for a stream of events or a file.
    ///
    /// - Throws: ``Problem`` if there are too many.
    func take(_ account: Account) throws(Problem) -> Place {
        var slots: [ConcurrencyLimit.Slot] = []
        if let link = account.share {
            guard let slot = ofLinks.take(link) else {
                throw Problem.tooMany("too many guests of links are looking: try again later", wait: 15)
            }
            slots.append(slot)
        }
        guard let slot = all.take(account.key) else {
            throw Problem.tooMany(
                "there are too many open streams and files: close some, \(all.perHolder) are possible here", wait: 15)
        }
        return Place(slots: slots + [slot])
    }
}
