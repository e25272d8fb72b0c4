import SyncCore

/// The application of a run: what it stores, its limits, and what it has made so far.
struct Application {
    /// What watches see and may change; the secret of a host is not in it.
    static let schema = Schema(
        versions: 1...1,
        rules: [
            .init(kind: "lamp", group: "name"): Schema.Rule(.shared),
            .init(kind: "lamp", group: "place"): Schema.Rule(.shared),
            .init(kind: "lamp", group: "wiring"): Schema.Rule(.hub),
            .init(kind: "layout", group: "order"): Schema.Rule(.owner),
        ])
    static let names: [Schema.Name] = [
        .init(kind: "lamp", group: "name"), .init(kind: "lamp", group: "place"), .init(kind: "host", group: "secret"),
        .init(kind: "lamp", group: "wiring"),
    ]
    /// The contents of each secret, which appear nowhere else.
    static let secretMark: UInt8 = 0x7F
    /// The hub's application rejects these values.
    static let objection: @Sendable (CellKey, String?) -> String? = { _, value in
        value?.hasPrefix("unfit") == true ? "it does not fit" : nil
    }

    /// Small limits, so that they are reached.
    static func transfers(using draws: inout SplitMix64, isWide: Bool) -> TransferConfiguration {
        var configuration = TransferConfiguration()
        configuration.exchange.itemByteCountMax = 200
        configuration.exchange.outstandingCountMax = draws.pick([4, 8, 20])
        configuration.exchange.inboxCountMax = draws.pick([2, 3, 8])
        configuration.exchange.urgentPerDay = draws.pick([0, 2, 5])
        configuration.exchange.messageByteCountMax = 100
        configuration.exchange.messageCountMax = draws.pick([2, 8])
        configuration.exchange.messageTimeout = .milliseconds(draws.pick([500, 2000]))
        configuration.files.fileByteCountMax = 400_000
        guard isWide else { return configuration }
        configuration.exchange.itemByteCountMax = wideItemByteCount
        configuration.exchange.outstandingCountMax = 80
        configuration.exchange.inboxCountMax = 70
        return configuration
    }

    /// Whether the limits of a run are so wide, and the work comes in such bursts, that windows fill up.
    static func isWide(options: SimulationOptions, streams: SplitMix64) -> Bool {
        var draws = streams
        return draws.chance(options.wideChance)
    }

    /// The most bytes of an item in a wide run: five of them are more than may be on their way.
    static let wideItemByteCount = 60_000
    /// The values and the items of a burst in a wide run: more than any window takes.
    static let wideBurst = (registers: 100, items: 50)
    private static let wideBurstChance = 0.04
    /// The chance that an item of a wide run is a large one.
    static let wideItemChance = 0.15

    /// The most records at the same time.
    static let recordCountMax = 5

    let registerCount: Int
    /// Whether some work comes in large bursts.
    let isWide: Bool
    private var lastRequest: UInt64 = 0
    private var lastInvitation: UInt64 = 0
    private var lastOrder: UInt64 = 0
    private var lastFile: UInt64 = 0
    private var lastItem: UInt64 = 0
    private var lastValue: UInt64 = 0
    /// The newest value of each register; the application keeps them itself and publishes them when the hub starts.
    private var newest = SortedMap<String, Register>()

    init(options: SimulationOptions, isWide: Bool, streams: SplitMix64) {
        self.isWide = isWide
        var counts = streams.stream(0)
        registerCount = 1 + counts.below(options.registerCountMax)
    }

    var newestRegisters: [Register] { newest.values }

    mutating func nextRequest() -> RequestID {
        lastRequest += 1
        return RequestID(number: lastRequest)
    }

    /// The key of a new invitation.
    mutating func nextInvitation(using draws: inout SplitMix64) -> PeerKey {
        lastInvitation += 1
        return PeerKey.simulated(kind: 2, number: lastInvitation, draw: draws.next())
    }

    /// The number of a new item.
    mutating func nextItem() -> UInt64 {
        lastItem += 1
        return lastItem
    }

    /// The number of a new value of a cell.
    mutating func nextValue() -> UInt64 {
        lastValue += 1
        return lastValue
    }

    /// The number of a new file.
    mutating func nextFile() -> UInt64 {
        lastFile += 1
        return lastFile
    }

    /// Whether this turn of a work is a large burst.
    func isBurst(using draws: inout SplitMix64) -> Bool { isWide && draws.chance(Self.wideBurstChance) }

    /// The order that a value of a register names.
    static func order(of value: [UInt8]) -> UInt64 {
        value.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    /// A new value of one of the registers; its order is greater than that of every earlier value.
    mutating func nextRegister(using draws: inout SplitMix64) -> Register {
        lastOrder += 1
        let key = "lamp \(draws.below(registerCount))"
        let length = draws.chance(0.05) ? 300 : 8
        let value = (0..<length).map { UInt8(truncatingIfNeeded: lastOrder &>> (8 * UInt64($0 & 7))) }
        let register = Register(key: key, order: lastOrder, value: value)
        newest[key] = register
        return register
    }
}

extension PeerKey {
    /// A key that only has to differ from all others.
    static func simulated(kind: UInt64, number: UInt64, draw: UInt64) -> PeerKey {
        let bytes = [kind, number, draw, draw].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
        guard let key = PeerKey(bytes: bytes) else { preconditionFailure("a key has 32 bytes, not \(bytes.count)") }
        return key
    }
}
