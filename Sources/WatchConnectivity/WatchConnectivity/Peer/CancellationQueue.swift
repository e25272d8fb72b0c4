import SyncCore

/// Transfers that were cancelled when they may have been sent already (rule R97): the other device is told to drop them,
/// as far as its app has not had them.
struct CancellationQueue: Sendable {
    private static let prefix = "drop."
    /// The drops that are remembered, for what has not arrived yet or comes again; then the oldest go.
    static let rememberedCountMax: UInt64 = 1024

    /// A transfer that the other device is to drop.
    struct Dropping: Hashable, Sendable {
        var number: UInt64
        var isFile: Bool
        var isUnderWay = false
    }

    /// What the other device has not confirmed yet, by the engine's ids.
    var dropping: [RandomID: Dropping] = [:]
    var retryAt: Instant?
    /// What is to be dropped here, with its place in the store.
    private var remembered: [RandomID: UInt64] = [:]
    private var slots: [UInt64: RandomID] = [:]
    private var nextOrder: UInt64 = 0

    /// Starts with what a store holds.
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

    func isDropping(_ id: RandomID) -> Bool { dropping[id] != nil }

    /// Remembers to drop what arrives under an id.
    mutating func remember(_ id: RandomID) -> PeerState.StoredChange {
        let slot = nextOrder % Self.rememberedCountMax
        if let before = slots[slot] { remembered[before] = nil }
        slots[slot] = id
        remembered[id] = slot
        var packer = ByteWriter()
        packer.put(id)
        packer.put(nextOrder)
        nextOrder += 1
        return PeerState.StoredChange(key: Self.prefix + Hexadecimal16.text(slot), value: packer.bytes)
    }

    func isRemembered(_ id: RandomID) -> Bool { remembered[id] != nil }

    /// It could not be stored.
    mutating func forget(_ id: RandomID) {
        guard let slot = remembered.removeValue(forKey: id) else { return }
        slots[slot] = nil
    }
}
