import SyncCore

/// What is seen of the frames between the hub and the watches: what is sent, and what follows from it.
struct FrameObserver {
    /// The time that the hub's processor needs for a byte of a body that it reads.
    ///
    /// It is a thousand times too long, so that a flood of some kilobytes has the effect of megabytes at a real hub,
    /// and costs the simulation little.
    private static let readingTime = Duration.microseconds(5)
    /// The time that the hub's processor needs for a byte of an upload, and for each cell, conflict or write that the
    /// ledger looks at for it: that of a slow processor.
    private static let (uploadTime, stepTime) = (Duration.nanoseconds(100), Duration.microseconds(5))

    /// What the hub has sent on a connection.
    private struct SentContent {
        private var lastRevision: UInt64?
        private var orders: Set<UInt64> = []

        /// A snapshot is sent; whether it is the one that was sent last.
        mutating func isAgain(revision: UInt64) -> Bool {
            defer { lastRevision = revision }
            return lastRevision == revision
        }

        /// A register's value is sent; whether it was sent before.
        mutating func isAgain(order: UInt64) -> Bool { !orders.insert(order).inserted }
    }

    /// Whether the frames are kept that sides send, or that come to them undamaged.
    var keepsFrames = false
    private(set) var frames: [PassingFrame] = []
    /// By connection, what the hub has sent on it, to count what it sends again.
    private var sentContents: [Int: SentContent] = [:]
    /// Whether a damaged message has just arrived and was not dropped yet.
    private var expectsDamage = false
    /// The bytes that the hub had read before the message that it is given.
    private var readBefore = 0
    /// The steps of the ledger before an input that concerns uploads of the attacker; nil for another input.
    private var stepsBefore: Int?

    // MARK: - Messages

    /// A frame is sent on a connection.
    func sends(_ frame: Frame, _ message: VirtualNetwork.Message, _ world: DrawnWorld, _ record: inout RunRecord) {
        record.trace.mix(message.parts)
        let side = Side(watch: world.watch(on: message), isHub: !message.isToHub)
        guard !record.isHostile(side),
            let finding = record.checks.sends(
                frame, at: side, durable: world.transferState(of: side), files: world.files[side]),
            world.isKnown(side)
        else { return }
        record.fail(finding)
    }

    /// The outcome of a frame is known.
    func look(
        at outcome: VirtualLink.Outcome, of kind: FrameKind, on connection: Int, _ record: inout RunRecord
    ) {
        switch outcome {
        case .vanishes, .drops:
            if case .vanishes = outcome { record.count(.messageCut) } else { record.count(.messageDropped) }
            record.line(.network, "loses \(kind) on connection \(connection)")
        case .arrives(let passage, _):
            if passage.copyGap != nil { record.count(.messageDuplicated) }
            if passage.isHeldUp { record.count(.messageHeldUp) }
            if passage.damage != nil { record.count(.messageDamaged) }
        }
    }

    /// A message arrives at a side whose process runs.
    mutating func arrives(
        _ message: VirtualNetwork.Message, _ world: inout DrawnWorld, _ record: inout RunRecord
    ) {
        let connection = world.network[message.connection]
        let side = Side(watch: connection.watch, isHub: message.isToHub)
        let heard = world.conditions.heard[side.index]
        world.conditions.heard[side.index] = max(heard, message.sent)
        record.checks.reachability.arrived(at: side, proof: message.proof)
        expectsDamage = message.isDamaged && (message.isToHub || world.watches[side.watch].engine != nil)
        if message.isToHub {
            readBefore = world.hub.engine?.readByteCount ?? 0
            if message.isFlood { stepsBefore = world.hub.engine?.stepCount }
            if message.mayBeUpload {
                let confirmed = record.checks.confirmed?.uploads[connection.peer]
                record.checks.uploads.arrives(message.parts, from: connection.peer, confirmed: confirmed)
            }
        }
        arrived(message, at: side, &record)
    }

    /// The frame of a message arrives at a side.
    private mutating func arrived(
        _ message: VirtualNetwork.Message, at side: Side, _ record: inout RunRecord
    ) {
        let counted: [FrameKind] = [.contextAcknowledged, .credit, .itemAcknowledged, .pull, .chunk]
        guard counted.contains(message.kind) || keepsFrames, !message.isDamaged, !record.isHostile(side),
            let frame = try? FrameCodec.frame(of: message.parts)
        else { return }
        keep(frame, at: side, isSent: false, record.now)
        guard counted.contains(message.kind) else { return }
        switch frame.kind {
        case .contextAcknowledged, .credit:
            if side.isHub { record.checks.windows.hubReceives(frame, now: record.now) }
        case .itemAcknowledged: record.checks.windows.acknowledges(frame, at: side)
        case .pull, .chunk: record.checks.parts.receives(frame, at: side, on: message.connection)
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .pair, .paired, .register, .registers, .message, .reply,
            .messageError, .context, .upload, .item, .offer, .done, .abort:
            break
        }
    }

    /// The process has handled a message.
    mutating func handled(
        _ message: VirtualNetwork.Message, _ world: inout DrawnWorld, _ record: inout RunRecord
    ) {
        if message.isToHub {
            if message.mayBeUpload {
                let name = VirtualNetwork.name(message.connection)
                let isHeld = world.hub.engine?.holdsUploads(on: name) ?? false
                record.fail(record.checks.uploads.handled(isHeld: isHeld))
            }
            if message.isFlood, let engine = world.hub.engine {
                let byteTime = message.kind == .upload ? Self.uploadTime : Self.readingTime
                hubWorked(byteTime * (engine.readByteCount - readBefore), &world, &record)
            }
            hubRests(&world, &record)
        }
        guard expectsDamage else { return }
        expectsDamage = false
        record.fail(.intactFrames, "a damaged message is not dropped")
    }

    /// The hub is about to be given an input other than a message.
    mutating func hubTakes(_ input: HubEngine.Input, _ world: DrawnWorld, _ record: RunRecord) {
        guard case .persisted(let group) = input, let hostile = record.hostile,
            group.contains(where: { $0.progress?.peer == world.watches[hostile].key })
        else { return }
        stepsBefore = world.hub.engine?.stepCount
    }

    /// The hub has handled an input.
    mutating func hubRests(_ world: inout DrawnWorld, _ record: inout RunRecord) {
        guard let before = stepsBefore.take(), let engine = world.hub.engine else { return }
        hubWorked(Self.stepTime * (engine.stepCount - before), &world, &record)
    }

    /// The hub's process is busy with what an attacker has sent, and does nothing else meanwhile.
    private func hubWorked(_ work: Duration, _ world: inout DrawnWorld, _ record: inout RunRecord) {
        guard work > .zero else { return }
        world.pause(.hub, until: max(world.pausedUntil(.hub), world.now).advanced(by: work))
        record.fail(record.checks.isolation.worked(work, now: world.now))
    }

    /// A message was dropped because it is no frame.
    mutating func dropped(_ record: inout RunRecord) {
        record.note(expectsDamage ? .damageDropped : .frameDropped)
        expectsDamage = false
    }

    /// A message was dropped, and the hub did not look whether it was damaged.
    mutating func droppedUnseen() { expectsDamage = false }

    // MARK: - Frames

    /// The hub sends a frame, whether its connection still exists or not.
    mutating func hubSends(
        _ frame: Frame, on connection: Int, _ world: DrawnWorld, _ record: inout RunRecord
    ) {
        countAgain(frame, on: connection, world, &record)
        let (number, peer) = (world.network[connection].watch, world.network[connection].peer)
        if number != record.hostile, peer == world.watches[number].key {
            let window = Int(world.watches[number].configuration.window)
            record.fail(record.checks.windows.hubSends(frame, to: number, window: window, now: record.now))
            sends(frame, at: Side(watch: number, isHub: true), on: connection, world, &record)
        }
        if frame.kind == .context { record.checks.isolation.sent(to: peer) }
        record.fail(record.checks.hubSends(frame, to: peer))
    }

    /// Counts what the hub sends again.
    private mutating func countAgain(
        _ frame: Frame, on connection: Int, _ world: DrawnWorld, _ record: inout RunRecord
    ) {
        switch frame.kind {
        case .refuse where frame.session != 0: record.note(.refusedTakenOver)
        case .paired:
            if record.checks.answersPairingAgain(world.network[connection].peer) { record.note(.watchPairedAgain) }
        case .context:
            if VersionChecker.base(of: frame) != nil { record.note(.deltaSent) }
            if sentContents[connection, default: SentContent()].isAgain(revision: frame.sequence) {
                record.note(.contextSentAgain)
            }
        case .register, .registers:
            for (_, value) in frame.registerValues {
                let order = Application.order(of: value)
                if sentContents[connection, default: SentContent()].isAgain(order: order) {
                    record.note(.registerSentAgain)
                }
            }
            if frame.kind == .registers { record.count(.registersSentTogether) }
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .message, .reply, .messageError,
            .contextAcknowledged, .upload, .item, .itemAcknowledged, .offer, .pull, .chunk, .done, .abort:
            break
        }
    }

    /// A side sends a frame to the other one; a hub, on a connection.
    mutating func sends(
        _ frame: Frame, at side: Side, on connection: Int? = nil, _ world: DrawnWorld, _ record: inout RunRecord
    ) {
        guard !record.isHostile(side) else { return }
        keep(frame, at: side, isSent: true, record.now)
        if frame.kind == .item { record.fail(record.checks.windows.sends(item: frame, at: side)) }
        record.fail(record.checks.parts.sends(frame, at: side, on: connection))
        record.fail(record.quiet.sends(frame, at: side, isHeldUp: world.isHeldUp(side.watch)))
    }

    private mutating func keep(_ frame: Frame, at side: Side, isSent: Bool, _ now: Instant) {
        guard keepsFrames else { return }
        frames.append(PassingFrame(frame: frame, side: side, isSent: isSent, time: now))
    }
}

extension VirtualNetwork.Message {
    /// Whether uploads may be in it: a forged message may be anything, and says that it is a greeting.
    fileprivate var mayBeUpload: Bool { kind == .upload || kind == .hello }
}
