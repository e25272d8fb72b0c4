import Platform
import WebServer

/// The lists of pools and devices as they were answered last, so that many who ask at once are answered from one.
///
/// An answer counts for accounts with the same rights, until the hub's state changes, and for ``duration`` at most, because
/// ages grow without a change.
final class ListMemory: Sendable {
    /// What is listed.
    enum List: Hashable, Sendable {
        case pools, devices
    }

    private struct Entry {
        var list: List
        var account: Account
        var receivedAt: ContinuousClock.Instant
        var madeAt: ContinuousClock.Instant
        var response: WebResponse
    }

    /// How long an answer counts: as long as the page may wait before it looks at the hub again.
    private static let duration = HubWatcher.interval
    /// The most answers: more than one for each kind of account in a household.
    private static let countMax = 16

    private let entries = Lock<[Entry]>([])

    /// The answer with a list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - snapshot: What is known of the hub.
    ///   - account: Who asks.
    ///   - make: Makes the answer.
    /// - Returns: The answer.
    /// - Throws: What `make` throws.
    func answer(
        _ list: List, of snapshot: ReceivedState, for account: Account, make: (VisibleState) throws -> WebResponse
    ) throws -> WebResponse {
        let now = ContinuousClock.now
        let known = entries.withLock { entries in
            entries.removeAll { $0.receivedAt != snapshot.receivedAt || now - $0.madeAt >= Self.duration }
            return entries.first { $0.list == list && $0.account.seesTheSame(as: account) }?.response
        }
        if let known { return known }
        let response = try make(VisibleState(snapshot, for: account))
        let entry = Entry(
            list: list, account: account, receivedAt: snapshot.receivedAt, madeAt: now, response: response)
        entries.withLock { entries in
            if entries.count >= Self.countMax { entries.removeFirst() }
            entries.append(entry)
        }
        return response
    }
}
