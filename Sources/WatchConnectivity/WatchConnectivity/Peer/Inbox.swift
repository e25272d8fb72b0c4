import SyncCore

/// Content that the engine receives and keeps until the app has received it.
protocol ArrivingContent: Sendable {
    var id: RandomID { get }
    /// Whether it is delivered before content that is not urgent.
    var isUrgent: Bool { get }
    /// Its description in the log.
    var words: String { get }
    /// Why it starts an app that does not run.
    var launchReason: PeerState.LaunchReason { get }
    /// Which call delivers it, by ``id``.
    static func kind(_ id: RandomID) -> DelegateCallQueue.Kind
    /// The call that delivers it.
    var call: PeerState.Call { get }
    /// Tells the engine to remove the content with an ``id``.
    static func consumed(_ id: RandomID) -> PeerState.EngineRequest
}

/// The files or the user info that arrived and wait for the app.
struct Inbox<Content: ArrivingContent>: Sendable {
    private struct Arrived: Sendable {
        var ticket: UInt64
        var content: Content
    }

    /// What waits, in the order of delivery.
    private var waiting = Queue<Arrived>()
    /// What the app has received: the engine may report it again if its transport ended too early.
    private var given = RecentIDs()

    /// Whether something waits for the app.
    var hasArrived: Bool { !waiting.isEmpty }

    /// The next call of the app.
    var due: DelegateCallQueue.Due? {
        waiting.first.map { .init(ticket: $0.ticket, kind: Content.kind($0.content.id), call: $0.content.call) }
    }

    /// Something arrived.
    mutating func arrived(_ content: Content, _ cancellations: CancellationQueue, _ core: inout PeerCore) {
        let id = content.id
        guard !waiting.all.contains(where: { $0.content.id == id }) else { return }
        guard !given.contains(id) else { return core.tell(Content.consumed(id)) }
        core.note(.link("← \(content.words)"))
        if cancellations.isDropped(id, &core) { return core.tell(Content.consumed(id)) }
        guard core.device.own.isInstalled else {
            core.warn("\(content.words) was dropped: the app is not installed")
            return core.tell(Content.consumed(id))
        }
        var arrived = Arrived(ticket: core.delegateCalls.nextTicket(), content: content)
        let overtaken = waiting.all.first {
            !$0.content.isUrgent && !core.delegateCalls.isRunning(Content.kind($0.content.id))
        }
        if content.isUrgent, let overtaken {
            arrived.ticket = overtaken.ticket
            core.delegateCalls.withdraw { $0 == Content.kind(overtaken.content.id) }
            waiting.insert(arrived) { $0.content.id == overtaken.content.id }
        } else {
            waiting.append(arrived)
        }
        core.launchWatchApp(content.launchReason)
    }

    /// The app has received it.
    mutating func given(_ id: RandomID, _ core: inout PeerCore) {
        guard take(id, &core) else { return }
        given.append([id])
    }

    /// Removes what its sender cancelled, unless the app is being called with it.
    mutating func discard(_ id: RandomID, _ core: inout PeerCore) {
        if !core.delegateCalls.isRunning(Content.kind(id)) { _ = take(id, &core) }
    }

    /// Removes it here and from the engine; false if it is not there.
    private mutating func take(_ id: RandomID, _ core: inout PeerCore) -> Bool {
        guard waiting.all.contains(where: { $0.content.id == id }) else { return false }
        waiting.remove { $0.content.id == id }
        core.tell(Content.consumed(id))
        return true
    }

    /// The app or the pairing is gone: nothing is delivered any more.
    mutating func discardAll(_ core: inout PeerCore) {
        for arrived in waiting.all { core.tell(Content.consumed(arrived.content.id)) }
        waiting = Queue()
    }

    mutating func retakeTickets(_ delegateCalls: inout DelegateCallQueue) {
        waiting.modifyAll { $0.ticket = delegateCalls.nextTicket() }
    }
}

extension FileOffer: ArrivingContent {
    var isUrgent: Bool { false }
    var words: String { "file \(id.shortName), \(name), \(byteCount) bytes" }
    var launchReason: PeerState.LaunchReason { .file }
    static func kind(_ id: RandomID) -> DelegateCallQueue.Kind { .file(id) }
    var call: PeerState.Call { .file(self) }
    static func consumed(_ id: RandomID) -> PeerState.EngineRequest { .consumedFile(id) }
}

extension ReceivedItem: ArrivingContent {
    var words: String { "user info \(id.shortName), \(payload.count) bytes\(isUrgent ? ", urgent" : "")" }
    var launchReason: PeerState.LaunchReason { isUrgent ? .complication : .userInfo }
    static func kind(_ id: RandomID) -> DelegateCallQueue.Kind { .info(id) }
    var call: PeerState.Call { .userInfo(payload) }
    static func consumed(_ id: RandomID) -> PeerState.EngineRequest { .consumedItem(id) }
}
