import SyncCore

/// Cancelled transfers that may have been sent already: the other device has to drop them, unless its app has
/// received them.
struct CancellationQueue: Sendable {
    private static let prefix = "drop."
    /// The number of received drop requests that are remembered, for transfers that have not arrived yet or arrive
    /// again; beyond that the oldest are forgotten.
    private static let rememberedCountMax: UInt64 = 1024

    /// A transfer in its own lane.
    enum Transfer: Hashable, Sendable {
        case userInfo(UInt64)
        case file(UInt64)
    }

    private struct DropRequest: Hashable, Sendable {
        var transfer: Transfer
        var isUnderWay = false
    }

    /// The requests that the other device has not confirmed yet, by the engine's ids.
    private var dropRequests: [RandomID: DropRequest] = [:]
    private var retry = Retry(longest: Retry.shortest)
    /// The transfers to drop here, with their slots in the store.
    private var remembered: [RandomID: UInt64] = [:]
    private var slots: [UInt64: RandomID] = [:]
    private var nextOrder: UInt64 = 0

    /// Starts from the contents of a store.
    init(_ stored: [String: [UInt8]]) {
        for (key, bytes) in stored {
            guard let slot = Hexadecimal16.number(key, after: Self.prefix) else { continue }
            var unpacker = ByteReader(bytes)
            guard let id = unpacker.id(), let order = unpacker.counter() else { continue }
            remembered[id] = slot
            slots[slot] = id
            nextOrder = max(nextOrder, order + 1)
        }
    }

    var deadline: Instant? { retry.deadline }

    // MARK: - Requests to the other device

    /// Requests that the other device drops a transfer that was sent, unless its app has received it.
    mutating func drop(_ id: RandomID, _ transfer: Transfer) {
        if dropRequests[id] == nil { dropRequests[id] = DropRequest(transfer: transfer) }
    }

    func isDropping(_ id: RandomID) -> Bool { dropRequests[id] != nil }

    /// Removes all requests to the other device.
    mutating func discard() { dropRequests = [:] }

    mutating func linkChanged() { retry.reset() }

    /// Sends the requests that are not confirmed yet.
    mutating func send(_ core: inout PeerCore) {
        guard retry.isOver(at: core.now), core.device.isLinked else { return }
        for id in dropRequests.filter({ !$0.value.isUnderWay }).keys.sorted() {
            dropRequests[id]?.isUnderWay = true
            core.note(.link("→ drop \(id.shortName)"))
            core.send(.drop(id), timeout: .seconds(5), .cancellation(id))
        }
    }

    /// The other device has answered a request.
    ///
    /// - Returns: The transfer, if the other device has dropped it or will: nothing of it has to be kept here.
    mutating func answered(_ id: RandomID, _ answer: TransferAnswer?, at now: Instant) -> Transfer? {
        guard dropRequests[id] != nil else { return nil }
        guard case .exchange(.delivered) = answer else {
            dropRequests[id]?.isUnderWay = false
            retry.failed(at: now)
            return nil
        }
        return dropRequests.removeValue(forKey: id)?.transfer
    }

    // MARK: - Requests of the other device

    /// The other app cancelled a transfer: it is dropped when it arrives, or now if it is here.
    ///
    /// The request is remembered in any case, because the engine may report the transfer again after a crash.
    mutating func received(_ id: RandomID, in message: MessageID, _ core: inout PeerCore) {
        core.note(.link("← drop \(id.shortName)"))
        guard remembered[id] == nil else { return core.confirm(message) }
        let slot = nextOrder % Self.rememberedCountMax
        if let before = slots[slot] { remembered[before] = nil }
        slots[slot] = id
        remembered[id] = slot
        var packer = ByteWriter()
        packer.put(id)
        packer.put(nextOrder)
        nextOrder += 1
        core.store(
            [.init(key: Self.prefix + Hexadecimal16.text(slot), value: packer.bytes)], .cancellation(id, message))
    }

    /// The request could not be stored.
    mutating func forget(_ id: RandomID) {
        guard let slot = remembered.removeValue(forKey: id) else { return }
        slots[slot] = nil
    }

    /// Whether the sender of an arriving transfer has cancelled it.
    func isDropped(_ id: RandomID, _ core: inout PeerCore) -> Bool {
        guard remembered[id] != nil else { return false }
        core.note(.device("\(id.shortName) arrived and was dropped: its sender had cancelled it"))
        return true
    }
}
