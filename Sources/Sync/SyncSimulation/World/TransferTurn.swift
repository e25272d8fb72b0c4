import SyncCore

/// One turn of what applications do with user info, messages and files.
struct TransferTurn {
    /// The randomness of the turn.
    private var draws: SplitMix64

    init(draws: SplitMix64) {
        self.draws = draws
    }

    /// A side whose engine runs and is not suspended, nil if the drawn one is not such a side.
    private mutating func side(_ world: DrawnWorld) -> Side? {
        let side = Side(watch: draws.below(world.watches.count), isHub: draws.chance(0.5))
        return world.hasEngine(side) && world.pausedUntil(side.device) <= world.now ? side : nil
    }

    /// A side sends user info.
    mutating func sendItems(_ checked: inout CheckedWorld) {
        guard let side = side(checked.world) else { return }
        let usual = draws.chance(0.1) ? 6 : 1
        let burst = checked.application.isBurst(using: &draws) ? Application.wideBurst.items : usual
        for _ in 0..<burst {
            let isUrgent = draws.chance(0.3)
            let byteCount = itemByteCount(checked)
            let number = checked.application.nextItem()
            let payload = (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0 & 3))) }
            let request = checked.newRequest(at: side)
            checked.give(
                .exchange(.transfer(request, .init(payload: payload, isUrgent: isUrgent))), to: side)
        }
    }

    private mutating func itemByteCount(_ checked: CheckedWorld) -> Int {
        let isTooLarge = draws.chance(0.03)
        let byteCount = 4 + draws.below(60)
        let limit = checked.transfers.configuration.exchange.itemByteCountMax
        if checked.application.isWide, draws.chance(Application.wideItemChance) { return limit }
        return isTooLarge ? limit + 1 : byteCount
    }

    /// A side cancels an item or a file.
    mutating func cancel(_ checked: inout CheckedWorld) {
        guard let side = side(checked.world) else { return }
        let files = checked.transfers.sentFiles(at: side)
        if draws.chance(0.3), !files.isEmpty {
            let id = draws.pick(files)
            let request = checked.newRequest(at: side)
            return checked.give(.files(.cancel(request, id)), to: side)
        }
        let outstanding =
            side.isHub
            ? checked.world.hub.engine?.outstandingItems(for: checked.world.watches[side.watch].key) ?? []
            : checked.world.watches[side.watch].engine?.outstandingItems ?? []
        let fresh = RandomID(using: &draws)
        let id = outstanding.isEmpty ? fresh : draws.pick(outstanding).item.id
        let request = checked.newRequest(at: side)
        checked.give(.exchange(.cancel(request, id)), to: side)
    }

    /// A side sends messages.
    mutating func sendMessages(_ checked: inout CheckedWorld) {
        guard let side = side(checked.world) else { return }
        let countMax = checked.transfers.configuration.exchange.messageCountMax
        let burst = draws.chance(0.1) ? 4 : 1
        for _ in 0..<burst {
            guard checked.world.hasEngine(side) else { return }
            let wantsReply = draws.chance(0.6)
            let byteCount = draws.chance(0.03) ? 101 : 8
            let request = checked.newRequest(at: side)
            let payload = (0..<byteCount).map { UInt8(truncatingIfNeeded: request.number >> (8 * UInt64($0 & 7))) }
            if !checked.record.isHostile(side) {
                checked.transfers.sent(message: request, at: side, &checked.record)
            }
            checked.give(
                .exchange(.message(request, Message(payload: payload, wantsReply: wantsReply))), to: side)
            checked.record.fail(checked.record.checks.messages.bounds(at: side, of: countMax))
        }
    }

    /// A side sends a file.
    mutating func sendFile(_ checked: inout CheckedWorld) {
        guard let side = side(checked.world) else { return }
        let size = draws.pick([0, 1, 1000, 32_768, 40_000, 100_000])
        let byteCount = draws.chance(0.05) ? 300_000 : size
        let file = SampleFile(number: checked.application.nextFile(), byteCount: byteCount)
        let bytes = file.bytes
        checked.world.keep(bytes, as: file.name, at: side)
        let claimed = draws.chance(0.03) ? 400_001 : UInt64(byteCount)
        let request = checked.newRequest(at: side)
        checked.give(
            .files(
                .send(
                    request, file: file.name, name: file.name, byteCount: claimed, FileDigest.simulated(of: bytes),
                    metadata: file.metadata)), to: side)
    }
}
