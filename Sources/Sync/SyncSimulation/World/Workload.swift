import SyncCore

/// The recurring work of persons and applications while there are faults: which work comes when.
struct Workload {
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

    private let works = Work.allCases
    private let streams: SplitMix64
    /// By work, which turn comes next, from 1, and the randomness of that turn.
    private var numbers: [Int]
    private var draws: [SplitMix64]

    init(streams: SplitMix64) {
        self.streams = streams
        numbers = works.map { _ in 0 }
        draws = works.map { _ in streams }
    }

    /// Plans the first turn of each work.
    mutating func begin(_ checked: inout CheckedWorld) {
        for work in works.indices { plan(work, &checked) }
    }

    private mutating func plan(_ work: Int, _ checked: inout CheckedWorld) {
        numbers[work] += 1
        draws[work] = streams.stream(UInt64(1 + work) << 48 | UInt64(numbers[work]))
        guard let wait = draws[work].wait(ratePerMinute: works[work].rate(checked.options)) else { return }
        // The first invitations come at once, or the watches would have nothing to do.
        let isFirst = checked.now.nanoseconds == 0 && works[work] == .invite
        checked.world.plan(
            .work(work), at: checked.now.advanced(by: isFirst ? .milliseconds(5) : wait), of: .hub)
    }

    /// The turn of a work has come; plans the next one.
    mutating func takeTurn(_ work: Int, _ checked: inout CheckedWorld) {
        guard !checked.areFaultsOver else { return }
        if isPossible(works[work], checked.world), checked.passes(works[work].kind, number: numbers[work]) {
            take(works[work], draws[work], &checked)
        }
        plan(work, &checked)
    }

    private func take(_ work: Work, _ draws: SplitMix64, _ checked: inout CheckedWorld) {
        var (atHub, ofCells, ofTransfers) = (HubTurn(draws: draws), EditTurn(draws: draws), TransferTurn(draws: draws))
        switch work {
        case .edit: ofCells.edit(&checked)
        case .settle: ofCells.settle(&checked)
        case .transfer: ofTransfers.sendItems(&checked)
        case .cancel: ofTransfers.cancel(&checked)
        case .message: ofTransfers.sendMessages(&checked)
        case .sendFile: ofTransfers.sendFile(&checked)
        case .change: atHub.change(&checked)
        case .publish: atHub.publish(&checked)
        case .invite: atHub.invite(&checked)
        case .unpair: atHub.unpair(&checked)
        }
    }

    /// Whether any process runs that could do the work.
    private func isPossible(_ work: Work, _ world: DrawnWorld) -> Bool {
        switch work {
        case .change, .publish, .invite, .unpair: world.hub.engine != nil
        case .edit: world.watches.contains { $0.engine != nil }
        case .settle, .transfer, .cancel, .message, .sendFile:
            world.hub.engine != nil || world.watches.contains { $0.engine != nil }
        }
    }
}
