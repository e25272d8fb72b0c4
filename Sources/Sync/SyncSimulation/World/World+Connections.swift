import SyncCore

/// What goes wrong by chance when a watch connects.
enum ConnectFailure: CaseIterable {
    /// The system has no room for a socket.
    case noSocket
    /// The hub cannot tell whom to admit.
    case undecided
    /// The handshake is broken off.
    case brokenOff
    /// Something else answers.
    case wrongAnswer

    /// What the socket tells of the handshake, or nil.
    var handshake: ConnectionSupervisor.HandshakeFailure? {
        switch self {
        case .noSocket: nil
        case .undecided: .undecided
        case .brokenOff: .brokenOff
        case .wrongAnswer: .wrongAnswer
        }
    }
}

extension World {
    // MARK: - Dialling

    /// How long a socket waits after an attempt to connect that failed.
    private static let retryInterval = Duration.milliseconds(100)

    /// Does what the supervision of a watch's connection wants of its socket.
    mutating func runSocket(_ watch: Int) {
        while watches[watch].isRunning, violation == nil {
            switch watches[watch].socket.nextDirective() {
            case .keep: return
            case .endConnection:
                closeSocket(watch)
                stepWatch(watch, .disconnected)
            case .open:
                closeSocket(watch)
                guard connectFailure(of: watch, atSocket: true) == nil else {
                    occasions.note(.socketShortage)
                    watches[watch].socket.denied(at: watches[watch].clock.moment(at: now).monotonic)
                    setSocketTimer(watch)
                    continue
                }
                watches[watch].socket.opened()
                dial(watch, after: .zero)
            }
        }
    }

    private mutating func closeSocket(_ watch: Int) {
        if let connection = watches[watch].socket.close() { leave(connection) }
    }

    private mutating func setSocketTimer(_ watch: Int) {
        guard let deadline = watches[watch].socket.deadline else { return }
        let socket = watches[watch].socket
        queue.push(
            .socketTimer(watch: watch, life: watches[watch].life, number: socket.attempt),
            at: max(now, watches[watch].clock.virtual(deadline)))
    }

    /// The supervision of a watch's connection has waited long enough.
    mutating func socketTimer(_ watch: Int, life: Int, number: Int) {
        guard life == watches[watch].life, watches[watch].isRunning, number == watches[watch].socket.attempt else {
            return
        }
        watches[watch].socket.timeReached(at: watches[watch].clock.moment(at: now).monotonic)
        runSocket(watch)
    }

    /// A watch's socket starts an attempt to connect.
    private mutating func dial(_ watch: Int, after wait: Duration) {
        let number = watches[watch].socket.begin()
        let delay = wait + watches[watch].draws.duration(.dial, number, upTo: .milliseconds(20))
        queue.push(.dial(watch: watch, life: watches[watch].life, number: number), at: now.advanced(by: delay))
    }

    /// An attempt reaches the hub, or nobody.
    mutating func dialed(_ watch: Int, life: Int, number: Int) {
        guard life == watches[watch].life, watches[watch].isRunning, watches[watch].socket.isTrying(number) else {
            return
        }
        guard hub.engine != nil, !watches[watch].link.isClosed(at: now) else {
            watches[watch].socket.unanswered()
            return dial(watch, after: Self.retryInterval)
        }
        watches[watch].socket.taken(at: watches[watch].clock.moment(at: now).monotonic)
        guard hub.pausedUntil <= now else {
            // The system takes the connection for a process that stands still.
            occasions.note(.handshakeWaited)
            let end = min(hub.pausedUntil, now.advanced(by: ConnectionSupervisor.handshakeInterval))
            return queue.push(.handshake(watch: watch, life: life, number: number, hubLife: hub.life), at: end)
        }
        shakeHands(watch, life: life, number: number, hubLife: hub.life)
    }

    /// The handshake of an attempt comes to its end.
    mutating func shakeHands(_ watch: Int, life: Int, number: Int, hubLife: Int) {
        guard life == watches[watch].life, watches[watch].isRunning, let peer = watches[watch].provenKey,
            watches[watch].socket.isTrying(number)
        else { return }
        guard hub.engine != nil, hub.life == hubLife, hub.pausedUntil <= now else {
            return handshakeFailed(.brokenOff, of: watch)
        }
        if let failure = connectFailure(of: watch, atSocket: false)?.handshake {
            return handshakeFailed(failure, of: watch)
        }
        guard hub.admitted.contains(peer) else { return handshakeFailed(.denied, of: watch) }
        let connection = network.open(watch: watch, watchLife: life, hubLife: hub.life, peer: peer)
        trace.line(now, .watch(watch), "has connection \(connection)")
        guard watches[watch].socket.succeeded(connection) else { return leave(connection) }
        checks.reachability.connected(watch, now: now)
        watches[watch].hasGreeted = false
        stepWatch(watch, .connected)
        stepClient(watch) { $0.connected(now: $1) }
    }

    private mutating func handshakeFailed(_ failure: ConnectionSupervisor.HandshakeFailure, of watch: Int) {
        let mark: CoverageMark =
            switch failure {
            case .denied: .dialNotAdmitted
            case .undecided: .handshakeUndecided
            case .brokenOff: .handshakeBrokenOff
            case .wrongAnswer: .handshakeWrongAnswer
            }
        occasions.note(mark)
        trace.line(now, .watch(watch), "gets no connection: \(failure)")
        let moment = watches[watch].clock.moment(at: now)
        if watches[watch].socket.failed(failure, at: moment.monotonic) {
            dial(watch, after: Self.retryInterval)
        } else {
            setSocketTimer(watch)
        }
    }

    /// What goes wrong by chance with the newest attempt of a watch to connect, nil if nothing does.
    private mutating func connectFailure(of watch: Int, atSocket: Bool) -> ConnectFailure? {
        let number = watches[watch].socket.attempt
        var draws = watches[watch].draws[.connect, number]
        let isDrawn = draws.chance(options.connectFailureChance)
        let failure = draws.pick(ConnectFailure.allCases)
        guard isDrawn, (failure == .noSocket) == atSocket, lots.pass(.connectFailure, watch: watch, number: number)
        else { return nil }
        return failure
    }

    /// A watch's transport notices that its connection is gone.
    mutating func hangUp(_ watch: Int, connection: Int) {
        guard watches[watch].connection == connection, watches[watch].life == network[connection].watchLife else {
            return
        }
        leave(connection)
        // For long enough to see what becomes of the bytes of files that have arrived.
        if encore.stage == .newSessions {
            watches[watch].link.silence(toHub: true, toWatch: true, until: now.advanced(by: .seconds(1)))
        }
        if watches[watch].socket.lost() { stepWatch(watch, .disconnected) }
        if watches[watch].isRunning, watches[watch].socket.isIdle { dial(watch, after: .zero) }
    }

    /// A watch uses a connection no more; the hub's end stays open for a while.
    mutating func leave(_ connection: Int) {
        network.leave(connection)
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
        var message = VirtualNetwork.Message(
            connection: connection, isToHub: isToHub, parts: parts, kind: frame.kind, sent: now,
            proof: checks.reachability.heard(side))
        if isToHub, options.replayRate > 0, watches[watch].role == .paired { watches[watch].capture(message) }
        let isCut = watches[watch].link.loses(isToHub: isToHub, at: now)
        let passage = networkFaults.passage(of: &message, from: watch, options: options, isCut: isCut, lots: &lots)
        guard let passage else {
            occasions.note(isCut ? .messageCut : .messageDropped)
            return trace.line(now, .network, "loses \(frame.kind) on connection \(connection)")
        }
        if passage.copyGap != nil { occasions.note(.messageDuplicated) }
        if passage.isHeldUp { occasions.note(.messageHeldUp) }
        if passage.damage != nil { occasions.note(.messageDamaged) }
        let times = network.send(&message, passage, now: now)
        queue.push(.message(message), at: times.arrival)
        if let copy = times.copy { queue.push(.message(message), at: copy) }
    }

    mutating func arrive(_ message: VirtualNetwork.Message) {
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
                    parts: message.parts, connection: VirtualNetwork.name(message.connection),
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
    private mutating func survives(_ message: VirtualNetwork.Message, occasion: CoverageMark) -> Bool {
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
