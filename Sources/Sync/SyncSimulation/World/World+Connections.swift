import SyncCore

/// What is seen of the connections and of the messages on them.
extension World {
    // MARK: - Connections

    mutating func connects(_ watch: Int, connection: Int) {
        trace.line(now, .watch(watch), "has connection \(connection)")
        checks.reachability.connected(watch, now: now)
        watches[watch].hasGreeted = false
    }

    mutating func handshakeFails(_ failure: ConnectionSupervisor.HandshakeFailure, of watch: Int) {
        let mark: CoverageMark =
            switch failure {
            case .denied: .dialNotAdmitted
            case .undecided: .handshakeUndecided
            case .brokenOff: .handshakeBrokenOff
            case .wrongAnswer: .handshakeWrongAnswer
            }
        occasions.note(mark)
        trace.line(now, .watch(watch), "gets no connection: \(failure)")
    }

    /// The process of a side ends, and with it what it knew of the other one.
    mutating func forgetHeard(at side: Side) {
        world.conditions.heard[side.index] = Instant(nanoseconds: .min)
        checks.reachability.forget(side)
    }

    // MARK: - Messages

    mutating func sends(_ frame: Frame, _ message: VirtualNetwork.Message) {
        trace.mix(message.parts)
        let watch = world.network[message.connection].watch
        let side = Side(watch: watch, isHub: !message.isToHub)
        if !isHostile(side),
            let finding = checks.sends(
                frame, at: side, durable: world.transferState(of: side), files: world.files[side]),
            isKnown(side)
        {
            fail(finding)
        }
        if message.isToHub, options.replayRate > 0, watches[watch].role == .paired { watches[watch].capture(message) }
    }

    mutating func look(at fate: VirtualLink.Fate, of kind: FrameKind, on connection: Int) {
        switch fate {
        case .vanishes, .drops:
            if case .vanishes = fate { occasions.note(.messageCut) } else { occasions.note(.messageDropped) }
            trace.line(now, .network, "loses \(kind) on connection \(connection)")
        case .arrives(let passage, _):
            if passage.copyGap != nil { occasions.note(.messageDuplicated) }
            if passage.isHeldUp { occasions.note(.messageHeldUp) }
            if passage.damage != nil { occasions.note(.messageDamaged) }
        }
    }

    mutating func arrives(_ message: VirtualNetwork.Message) {
        let connection = world.network[message.connection]
        let side = Side(watch: connection.watch, isHub: message.isToHub)
        let heard = world.conditions.heard[side.index]
        world.conditions.heard[side.index] = max(heard, message.sent)
        checks.reachability.arrived(at: side, proof: message.proof)
        expectsDamage = message.isDamaged && (message.isToHub || world.watches[side.watch].engine != nil)
        if message.isToHub {
            readBefore = world.hub.engine?.readByteCount ?? 0
            if message.mayBeUpload {
                let told = checks.told?.uploads[connection.peer]
                checks.uploads.arrives(message.parts, from: connection.peer, told: told)
            }
        }
        noteArrival(message)
    }

    mutating func arrived(_ message: VirtualNetwork.Message) {
        if message.isToHub {
            if message.mayBeUpload { fail(checks.uploads.handled()) }
            if message.isFlood, let engine = world.hub.engine { hubRead(engine.readByteCount - readBefore) }
        }
        guard expectsDamage else { return }
        expectsDamage = false
        fail(.intactFrames, "a damaged message is not dropped")
    }
}

extension VirtualNetwork.Message {
    /// Whether uploads may be in it: a forged message may be anything, and calls itself a greeting.
    fileprivate var mayBeUpload: Bool { kind == .upload || kind == .hello }
}
