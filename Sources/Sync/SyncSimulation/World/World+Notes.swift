import SyncCore

/// What the hub has sent on a connection.
struct SentContent {
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

/// What the engines say, counted and taken into the trace.
extension World {
    mutating func noteEvent(_ event: HubEngine.Event) {
        switch event {
        case .dropped(_, let drop):
            checks.uploads.refused()
            if case .fault = drop { dropped() }
            // Nobody looked whether it was damaged.
            if case .notHeard = drop { expectsDamage = false }
        case .uploadsContradicted(let peer):
            checks.uploads.refused()
            if let watch = world.watch(of: peer) { encore.contradicted.insert(watch) }
        case .linked(let peer, _):
            if let watch = world.watch(of: peer) { checks.parts.sessionBegan(Side(watch: watch, isHub: true)) }
        case .unlinked(let peer, _, _):
            guard let watch = world.watch(of: peer) else { break }
            endedSessions.append(Side(watch: watch, isHub: true))
            checks.parts.sessionEnded(Side(watch: watch, isHub: true), now: now)
        case .conflictsFull(let peer):
            if let watch = world.watch(of: peer) { checks.windows.uploadsWait(of: watch) }
        case .conflicted(let conflicts):
            for conflict in conflicts { note(CoverageMark(conflict.rule)) }
        case .acknowledged, .paired, .refused, .committed, .uploadsTaken, .clockSuspect, .forked, .duplicateWatch,
            .cutOff, .registerRefused, .notStored:
            break
        }
        if let mark = CoverageMark(event) { note(mark) }
    }

    /// A message was dropped because it is no frame.
    private mutating func dropped() {
        note(expectsDamage ? .damageDropped : .frameDropped)
        expectsDamage = false
    }

    mutating func noteEvent(_ event: WatchEngine.Event, of watch: Int) {
        if case .linkChanged(let link) = event {
            let side = Side(watch: watch, isHub: false)
            link == .linked ? checks.parts.sessionBegan(side) : checks.parts.sessionEnded(side, now: now)
        }
        switch event {
        case .linkChanged(.linked):
            note(.watchLinked)
            // An attacker who forges a greeting of the watch gets its answer.
            if watch != hostile { fail(checks.reachability.calledUp(watch)) }
        case .linkChanged(.lost): note(.watchLost)
        case .linkChanged(.refused): note(.watchRefused)
        case .linkChanged(.waiting): break
        case .snapshotChanged(let snapshot):
            note(.snapshotShown)
            trace.mix(snapshot.version)
            if checks.isNewEpoch(snapshot.version.epoch, for: watch) { note(.watchFollowedNewEpoch) }
            fail(checks.shows(watch, snapshot, durable: world.watches[watch].device.stored))
        case .registerChanged(let register):
            note(.registerShown)
            trace.mix(register.order)
            let epoch = world.watches[watch].engine?.registers[register.key]?.epoch
            fail(checks.shows(watch, register, epoch: epoch))
        case .dropped(.foreignSession): note(.watchDroppedForeignSession)
        case .dropped(.old(.context)): note(.watchDroppedOldContext)
        case .dropped(.old(.register)): note(.watchDroppedOldRegister)
        case .dropped(.old(.welcome)): note(.watchDroppedOldWelcome)
        case .dropped(.fault): dropped()
        case .editsConfirmed(let edits):
            for edit in edits { note(edit.rule == nil ? .editConfirmed : .editLost) }
        case .dropped, .hubForked, .notStored: break
        }
    }

    /// Counts what the hub sends again.
    mutating func noteSending(_ frame: Frame, on connection: Int) {
        switch frame.kind {
        case .refuse where frame.session != 0: note(.refusedTakenOver)
        case .paired:
            if checks.answersPairingAgain(world.network[connection].peer) { note(.watchPairedAgain) }
        case .context:
            if sentContents[connection, default: SentContent()].isAgain(revision: frame.sequence) {
                note(.contextSentAgain)
            }
        case .register:
            let order = Application.order(of: frame.blob)
            if sentContents[connection, default: SentContent()].isAgain(order: order) { note(.registerSentAgain) }
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .message, .reply, .messageError,
            .contextAcknowledged, .upload, .item, .itemAcknowledged, .offer, .pull, .chunk, .done, .abort:
            break
        }
    }

    /// The hub sends a frame, whether its connection is there still or not.
    mutating func noteSent(_ frame: Frame, on connection: Int) {
        let watch = world.network[connection].watch
        guard watch != hostile, world.network[connection].peer == world.watches[watch].key else { return }
        let window = world.watches[watch].configuration.window
        fail(checks.windows.hubSends(frame, to: watch, window: Int(window), now: now))
        noteSent(frame, at: Side(watch: watch, isHub: true))
    }

    /// A side sends a frame to the other one.
    mutating func noteSent(_ frame: Frame, at side: Side) {
        guard !isHostile(side) else { return }
        keep(frame, at: side, isSent: true)
        if frame.kind == .item { fail(checks.windows.sends(item: frame, at: side)) }
        fail(checks.parts.sends(frame, at: side))
        noteAtRest(frame, at: side)
    }

    /// A message comes to a side whose process runs.
    mutating func noteArrival(_ message: VirtualNetwork.Message) {
        let counted: [FrameKind] = [.contextAcknowledged, .credit, .itemAcknowledged, .pull, .chunk]
        let side = Side(watch: world.network[message.connection].watch, isHub: message.isToHub)
        guard counted.contains(message.kind) || keepsFrames, !message.isDamaged, !isHostile(side),
            let frame = try? FrameCodec.frame(of: message.parts)
        else { return }
        keep(frame, at: side, isSent: false)
        guard counted.contains(message.kind) else { return }
        switch frame.kind {
        case .contextAcknowledged, .credit: if side.isHub { checks.windows.hubReceives(frame, now: now) }
        case .itemAcknowledged: checks.windows.acknowledges(frame, at: side)
        case .pull, .chunk: checks.parts.receives(frame, at: side)
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .pair, .paired, .register, .message, .reply, .messageError,
            .context, .upload, .item, .offer, .done, .abort:
            break
        }
    }

    mutating func noteAnswer(_ answer: HubEngine.Answer, wasNothing: Bool) {
        if let mark = CoverageMark(answer, wasNothing: wasNothing) { note(mark) }
    }

    /// Counts what a life of the hub has counted itself.
    mutating func noteHubLife() {
        let superseded = world.hub.engine?.watches.reduce(0) { $0 + $1.supersededCount } ?? 0
        occasions.note(.registerSuperseded, count: Int(superseded))
    }

    mutating func note(_ occasion: CoverageMark) {
        occasions.note(occasion)
        trace.mix(UInt64(occasion.rawValue))
    }
}
