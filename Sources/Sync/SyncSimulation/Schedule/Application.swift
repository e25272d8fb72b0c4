import SyncCore

/// The application of a run, on the hub: it changes cells, publishes registers, invites and unpairs watches.
struct Application {
    /// A kind of work that comes again and again.
    enum Work: CaseIterable {
        case change, publish, invite, unpair, edit, settle, transfer, cancel, message, sendFile

        /// The name of its turns.
        var kind: Occurrence.Kind {
            switch self {
            case .change: .change
            case .publish: .publication
            case .invite: .invitation
            case .unpair: .unpairing
            case .edit: .edit
            case .settle: .settling
            case .transfer: .item
            case .cancel: .cancelling
            case .message: .message
            case .sendFile: .file
            }
        }

        func rate(_ options: SimulationOptions) -> Double {
            switch self {
            case .change: options.changeRate
            case .publish: options.registerRate
            case .invite: options.invitationRate
            case .unpair: options.unpairingRate
            case .edit: options.editRate
            case .settle: options.settlingRate
            case .transfer: options.itemRate
            case .cancel: options.cancelRate
            case .message: options.messageRate
            case .sendFile: options.fileRate
            }
        }
    }

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
    /// What stands in each secret, and nowhere else.
    static let secretMark: UInt8 = 0x7F
    /// The hub's application does not take these values.
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

    /// The most records that live at the same time.
    static let recordCountMax = 5

    let works = Work.allCases
    private let streams: SplitMix64
    /// By work, which turn comes next, from 1, and the randomness of that turn.
    private(set) var numbers: [Int]
    var draws: [SplitMix64]
    let registerCount: Int
    /// Whether some work comes in large bursts.
    let isWide: Bool
    var lastRequest: UInt64 = 0
    var lastInvitation: UInt64 = 0
    var lastOrder: UInt64 = 0
    /// The newest value of each register; the application keeps them itself and publishes them when the hub starts.
    private(set) var newest = SortedMap<String, Register>()
    /// The requests that unpair a watch.
    var unpairings: Set<UInt64> = []
    /// Invitations that wait for the hub's answer, by request: the key, and the watches that will get it.
    var invitations: [UInt64: (key: PeerKey, watches: [Int])] = [:]

    /// The messages that wait for their outcome.
    var messages: Set<UInt64> = []
    /// By side, the last files that it sent.
    var sentFiles: [[RandomID]]
    var lastFile: UInt64 = 0
    var lastItem: UInt64 = 0
    var lastValue: UInt64 = 0
    /// The conflicts that the hub is asked to settle, by request.
    var settlings: [UInt64: (conflict: Conflict, restoring: Bool)] = [:]

    init(options: SimulationOptions, isWide: Bool, sideCount: Int, streams: SplitMix64) {
        self.isWide = isWide
        sentFiles = Array(repeating: [], count: sideCount)
        var counts = streams.stream(0)
        registerCount = 1 + counts.below(options.registerCountMax)
        self.streams = streams
        numbers = works.map { _ in 0 }
        draws = works.map { _ in streams }
    }

    var newestRegisters: [Register] { newest.values }

    /// Draws the next turn of a work; gives the time until then; nil if the work has no further turn.
    mutating func next(_ work: Int, _ options: SimulationOptions) -> Duration? {
        numbers[work] += 1
        draws[work] = streams.stream(UInt64(1 + work) << 48 | UInt64(numbers[work]))
        return draws[work].wait(ratePerMinute: works[work].rate(options))
    }

    mutating func nextRequest() -> HubEngine.RequestID {
        lastRequest += 1
        return HubEngine.RequestID(number: lastRequest)
    }

    /// Whether this turn of a work is a large burst.
    mutating func isBurst(_ work: Int) -> Bool { isWide && draws[work].chance(Self.wideBurstChance) }

    /// A new value of one of the registers; its order is greater than that of every earlier value.
    mutating func nextRegister(_ work: Int) -> Register {
        var turn = draws[work]
        defer { draws[work] = turn }
        return nextRegister(using: &turn)
    }

    /// The order that a value of a register names.
    static func order(of value: [UInt8]) -> UInt64 {
        value.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    /// A new value of one of the registers.
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
