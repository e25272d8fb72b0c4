import SyncCore

extension World {
    // MARK: - Dialling

    /// A watch starts an attempt to get a connection.
    mutating func dial(_ watch: Int, after wait: Duration) {
        watches[watch].dialNumber += 1
        let delay =
            wait
            + watches[watch].draws.duration(
                .dial, watches[watch].dialNumber, upTo: .milliseconds(20))
        queue.push(
            .dial(watch: watch, life: watches[watch].life, number: watches[watch].dialNumber),
            at: now.advanced(by: delay))
    }

    /// An attempt comes to its end: a connection, or another attempt later.
    mutating func dialed(_ watch: Int, life: Int, number: Int) {
        guard life == watches[watch].life, number == watches[watch].dialNumber, watches[watch].connection == nil,
            watches[watch].isRunning, let peer = watches[watch].provenKey
        else { return }
        let cut = networkFaults.cut(watch, now: now)
        guard hub.engine != nil, now >= hub.pausedUntil, !(cut.toHub && cut.toWatch) else {
            return dial(watch, after: .milliseconds(100))
        }
        guard hub.admitted.contains(peer) else {
            occasions.note(.dialNotAdmitted)
            return dial(watch, after: .milliseconds(500))
        }
        let connection = network.open(
            SimulatedNetwork.Connection(watch: watch, watchLife: life, hubLife: hub.life, peer: peer))
        trace.line(now, .watch(watch), "has connection \(connection)")
        watches[watch].connection = connection
        checks.reachability.connected(watch, now: now)
        watches[watch].hasGreeted = false
        stepWatch(watch, .connected)
        stepClient(watch) { $0.connected(now: $1) }
    }

    /// A watch's transport notices that its connection is gone.
    mutating func hangUp(_ watch: Int, connection: Int) {
        guard watches[watch].connection == connection, watches[watch].life == network[connection].watchLife else {
            return
        }
        leave(connection)
        watches[watch].connection = nil
        // For long enough to see what becomes of the bytes of files that have arrived.
        if encore.stage == .newSessions {
            networkFaults.cut(watch, toHub: true, toWatch: true, until: now.advanced(by: .seconds(1)))
        }
        stepWatch(watch, .disconnected)
        if watches[watch].connection == nil { dial(watch, after: .zero) }
    }

    /// A watch uses a connection no more; the hub's end stays open for a while.
    mutating func leave(_ connection: Int) {
        network[connection].isOpenAtWatch = false
        var draws = watches[network[connection].watch].draws[.notice, connection]
        let notice = draws.duration(upTo: draws.chance(0.5) ? .milliseconds(20) : .seconds(6))
        queue.push(.forget(connection: connection), at: now.advanced(by: notice))
    }

    // MARK: - Messages

    mutating func transmit(_ frame: Frame, connection: Int, isToHub: Bool) {
        let parts = FrameCodec.parts(of: frame)
        trace.mix(parts)
        let side = Side(watch: network[connection].watch, isHub: !isToHub)
        if !isHostile(side),
            let finding = checks.sends(
                frame, at: side, durable: durableTransfers(side), files: files[side.index]), isKnown(side)
        {
            fail(finding)
        }
        let watch = network[connection].watch
        var message = SimulatedNetwork.Message(
            connection: connection, isToHub: isToHub, parts: parts, kind: frame.kind, sent: now,
            proof: checks.reachability.heard(side))
        if isToHub, options.replayRate > 0, watches[watch].role == .paired { watches[watch].capture(message) }
        let fate = networkFaults.send(
            &message, on: &network, now: now, options: options, lots: &lots)
        if fate.isDropped { occasions.note(.messageDropped) }
        if fate.isCut { occasions.note(.messageCut) }
        if fate.copyArrival != nil { occasions.note(.messageDuplicated) }
        if fate.isHeldUp { occasions.note(.messageHeldUp) }
        if fate.isDamaged { occasions.note(.messageDamaged) }
        guard let arrival = fate.arrival else {
            return trace.line(now, .network, "loses \(frame.kind) on connection \(connection)")
        }
        queue.push(.message(message), at: arrival)
        if let arrival = fate.copyArrival { queue.push(.message(message), at: arrival) }
    }

    mutating func arrive(_ message: SimulatedNetwork.Message) {
        let connection = network[message.connection]
        if message.isToHub {
            guard hub.engine != nil, connection.hubLife == hub.life else { return }
            guard survives(message, occasion: .lateMessageAtHub) else { return }
            checks.reachability.arrived(
                at: Side(watch: connection.watch, isHub: true), sent: message.sent, proof: message.proof)
            expectsDamage = message.isDamaged
            // A forged message may be anything; it calls itself a greeting.
            let mayBeUpload = message.kind == .upload || message.kind == .hello
            let readBefore = hub.engine?.readByteCount ?? 0
            if mayBeUpload { checks.uploads.arrives(message.parts, from: connection.peer, told: mark(connection.peer)) }
            noteArrival(message)
            stepHub(
                .received(
                    parts: message.parts, connection: SimulatedNetwork.name(message.connection),
                    peer: connection.peer))
            if mayBeUpload { fail(checks.uploads.handled()) }
            if message.isFlood, let engine = hub.engine { hubRead(engine.readByteCount - readBefore) }
        } else {
            let watch = connection.watch
            guard watches[watch].isRunning, connection.watchLife == watches[watch].life else { return }
            guard survives(message, occasion: .lateMessageAtWatch) else { return }
            checks.reachability.arrived(
                at: Side(watch: watch, isHub: false), sent: message.sent, proof: message.proof)
            expectsDamage = message.isDamaged && watches[watch].engine != nil
            noteArrival(message)
            stepWatch(watch, .received(parts: message.parts))
            stepClient(watch) { client, _ in client.received(message.parts) }
        }
        if expectsDamage {
            expectsDamage = false
            fail(.intactFrames, "a damaged message is not dropped")
        }
    }

    /// What the hub was told to have taken in from a watch.
    private func mark(_ peer: PeerKey) -> UploadMark? { checks.told?.uploads[peer] }

    /// Whether a message arrives now, although the watch may have left its connection.
    ///
    /// It may also come later, when there is a new connection already.
    private mutating func survives(_ message: SimulatedNetwork.Message, occasion: CoverageMark) -> Bool {
        let connection = network[message.connection]
        guard !connection.isOpenAtWatch, !message.isLate else { return true }
        guard
            let delay = networkFaults.lateness(
                of: message, from: connection.watch, options: options, lots: &lots)
        else { return false }
        occasions.note(occasion)
        var late = message
        late.isLate = true
        queue.push(.message(late), at: now.advanced(by: delay))
        return false
    }
}
