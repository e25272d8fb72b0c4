import SyncCore

/// The files that arrived: the engine keeps each one until the app has received it.
struct FileInbox: Sendable {
    private struct Arrived: Sendable {
        var ticket: UInt64
        var offer: FileOffer
    }

    /// The received files, in the order of delivery.
    private var waiting = Queue<Arrived>()
    /// The files that the app has received: the engine may report them again if its transport ended too early.
    private var given = RecentIDs()

    /// Whether a received file waits for the app.
    var hasArrived: Bool { !waiting.isEmpty }

    /// The next call of the app.
    var due: DelegateCallQueue.Due? {
        waiting.first.map { .init(ticket: $0.ticket, kind: .file($0.offer.id), call: .file($0.offer)) }
    }

    /// A file arrived.
    mutating func arrived(_ offer: FileOffer, _ cancellations: CancellationQueue, _ core: inout PeerCore) {
        guard !waiting.all.contains(where: { $0.offer.id == offer.id }) else { return }
        guard !given.contains(offer.id) else { return core.tell(.consumedFile(offer.id)) }
        core.note(.link("← file \(offer.id.shortName), \(offer.name), \(offer.byteCount) bytes"))
        if cancellations.isDropped(offer.id, &core) { return core.tell(.consumedFile(offer.id)) }
        guard core.device.own.isInstalled else {
            core.warn("file \(offer.name) was dropped: the app is not installed")
            return core.tell(.consumedFile(offer.id))
        }
        waiting.append(Arrived(ticket: core.delegateCalls.nextTicket(), offer: offer))
        core.launchWatchApp(.file)
    }

    /// The app has received a file.
    mutating func given(_ id: RandomID, _ core: inout PeerCore) {
        guard take(id, &core) else { return }
        given.append([id])
    }

    /// Removes a received file that its sender cancelled, unless the app is being called with it.
    mutating func discard(_ id: RandomID, _ core: inout PeerCore) {
        if !core.delegateCalls.isRunning(.file(id)) { _ = take(id, &core) }
    }

    /// Removes a file here and from the engine; false if it is not there.
    private mutating func take(_ id: RandomID, _ core: inout PeerCore) -> Bool {
        guard waiting.all.contains(where: { $0.offer.id == id }) else { return false }
        waiting.remove { $0.offer.id == id }
        core.tell(.consumedFile(id))
        return true
    }

    /// The app or the pairing is gone: nothing is delivered any more.
    mutating func discardAll(_ core: inout PeerCore) {
        for arrived in waiting.all { core.tell(.consumedFile(arrived.offer.id)) }
        waiting = Queue()
    }

    mutating func retakeTickets(_ delegateCalls: inout DelegateCallQueue) {
        waiting.modifyAll { $0.ticket = delegateCalls.nextTicket() }
    }
}
