import SyncCore

/// How the watches of a virtual world are connected to its hub: their sockets, the links, the connections, and the frames
/// on their way.
struct VirtualConnections<Conditions: WorldConditions> {
    typealias Agenda = WorldAgenda<Conditions.Plan>

    /// The connection of a watch.
    private struct End {
        var link = VirtualLink()
        /// What connects it to the hub, as long as its process runs.
        var socket = VirtualSocket()
        /// Whether the hub did not admit it at the last attempt.
        var isShutOut = false
    }

    private(set) var network: VirtualNetwork
    /// By watch.
    private var ends: [End] = []
    /// By connection on which only pairing happens, how long a frame is on its way.
    private var pairingConnections: [Int: Duration] = [:]
    /// The connections on which the hub could not send.
    private var unroutable: [ConnectionID] = []

    init(network: VirtualNetwork) {
        self.network = network
    }

    mutating func addWatch() { ends.append(End()) }

    /// The number of the connection that a watch uses, nil without one.
    func connection(of number: Int) -> Int? { ends[number].socket.connection }

    /// Whether the hub did not admit a watch at its last attempt.
    func isShutOut(_ number: Int) -> Bool { ends[number].isShutOut }

    /// The link between the hub and a watch.
    func link(of number: Int) -> VirtualLink { ends[number].link }

    mutating func changeLink(of number: Int, _ change: (inout VirtualLink) -> Void) { change(&ends[number].link) }

    /// Whether a watch is being paired on this connection, beside its process.
    func isForPairing(_ connection: Int) -> Bool { pairingConnections[connection] != nil }

    /// Whether a process that has ended, or another attempt, makes an event void.
    func isVoid(_ event: WorldEvent<Conditions.Plan>, _ devices: VirtualDevices) -> Bool {
        switch event {
        case .dial(let number, let run, let attempt), .handshake(let number, let run, let attempt, _):
            run != devices.watches[number].device.run || !devices.watches[number].isAlive
                || !ends[number].socket.isTrying(attempt)
        case .socketTimer(let number, let run, let attempt):
            run != devices.watches[number].device.run || !devices.watches[number].isAlive
                || ends[number].socket.attempt != attempt
        case .hangUp(let number, let connection):
            self.connection(of: number) != connection
                || devices.watches[number].device.run != network[connection].watchRun
        case .input, .timer, .alarm, .disk, .stored, .fileWork, .message, .forget, .plan: false
        }
    }

    // MARK: - Attempts

    /// A watch without a connection tries to get one.
    mutating func dialSoon(_ number: Int, _ devices: VirtualDevices, _ agenda: inout Agenda) {
        guard devices.watches[number].engine != nil else { return }
        ends[number].socket.retry()
        agenda.add(.redial(number))
        agenda.add(.socket(number))
    }

    /// A watch tries to connect again, if no attempt is under way.
    mutating func redial(
        _ number: Int, _ devices: VirtualDevices, _ agenda: inout Agenda, _ conditions: Conditions
    ) {
        guard devices.watches[number].isAlive, ends[number].socket.isIdle else { return }
        dial(number, devices, &agenda, conditions)
    }

    /// Does what the supervision of a watch's connection requests of its socket.
    mutating func runSocket(
        _ number: Int, _ devices: VirtualDevices, _ agenda: inout Agenda, _ conditions: inout Conditions
    ) {
        while devices.watches[number].isAlive {
            switch ends[number].socket.nextDirective() {
            case .keep: return
            case .endConnection:
                closeSocket(number, &agenda, conditions)
                agenda.add(.socket(number))
                return agenda.give(.watch(number, .disconnected))
            case .open:
                closeSocket(number, &agenda, conditions)
                let attempt = ends[number].socket.attempt
                let failure = conditions.connectFailure(of: number, attempt: attempt, atSocket: true)
                guard failure == nil else {
                    agenda.report(.socketDenied(number))
                    ends[number].socket.denied(at: moment(number, devices, agenda))
                    setSocketTimer(number, devices, &agenda, conditions)
                    continue
                }
                let isReplacement = ends[number].socket.isReplaced
                ends[number].socket.opened()
                dial(number, isReplacement: isReplacement, devices, &agenda, conditions)
            }
        }
    }

    /// A watch has waited long enough for another attempt.
    mutating func timeReached(of number: Int, _ devices: VirtualDevices, _ agenda: inout Agenda) {
        ends[number].socket.timeReached(at: moment(number, devices, agenda))
        agenda.add(.socket(number))
    }

    /// The engine of a watch wants another socket.
    mutating func replaceSocket(of number: Int) { ends[number].socket.replace() }

    /// The process of a watch starts, or has ended.
    mutating func restartSocket(of number: Int) { ends[number].socket.restart() }

    private mutating func closeSocket(_ number: Int, _ agenda: inout Agenda, _ conditions: Conditions) {
        if let connection = ends[number].socket.close() { leave(connection, &agenda, conditions) }
    }

    private func moment(_ number: Int, _ devices: VirtualDevices, _ agenda: Agenda) -> Instant {
        devices.moment(at: .watch(number), now: agenda.now).monotonic
    }

    private func setSocketTimer(
        _ number: Int, _ devices: VirtualDevices, _ agenda: inout Agenda, _ conditions: Conditions
    ) {
        guard let deadline = ends[number].socket.deadline else { return }
        let process = devices[.watch(number)]
        agenda.plan(
            .socketTimer(number, run: process.run, attempt: ends[number].socket.attempt),
            at: max(agenda.now, process.clock.virtual(deadline)),
            rank: conditions.areTimersExact ? 4 * number + 3 : 0)
    }

    /// A watch's socket starts an attempt to connect.
    private mutating func dial(
        _ number: Int, after wait: Duration = .zero, isReplacement: Bool = false, _ devices: VirtualDevices,
        _ agenda: inout Agenda, _ conditions: Conditions
    ) {
        let attempt = ends[number].socket.begin()
        let delay = wait + conditions.dialDelay(of: number, attempt: attempt, isReplacement: isReplacement)
        agenda.plan(.dial(number, run: devices.watches[number].device.run, attempt: attempt), after: delay)
    }

    /// An attempt reaches the hub, or nothing.
    mutating func dialed(
        _ number: Int, _ attempt: Int, _ devices: VirtualDevices, _ agenda: inout Agenda,
        _ conditions: inout Conditions
    ) {
        guard devices.hub.engine != nil, !ends[number].link.isClosed(at: agenda.now) else {
            ends[number].socket.unanswered()
            if let wait = conditions.retryInterval { dial(number, after: wait, devices, &agenda, conditions) }
            return
        }
        ends[number].socket.taken(at: moment(number, devices, agenda))
        guard devices[.hub].pausedUntil <= agenda.now else {
            // The system accepts the connection for a suspended process.
            agenda.report(.handshakeWaits(number))
            let limit = agenda.now.advanced(by: ConnectionSupervisor.handshakeInterval)
            let (run, hubRun) = (devices.watches[number].device.run, devices.hub.device.run)
            return agenda.plan(
                .handshake(number, run: run, attempt: attempt, hubRun: hubRun),
                at: min(devices[.hub].pausedUntil, limit))
        }
        shakeHands(number, hubRun: devices.hub.device.run, devices, &agenda, &conditions)
    }

    /// The handshake of an attempt ends.
    mutating func shakeHands(
        _ number: Int, hubRun: Int, _ devices: VirtualDevices, _ agenda: inout Agenda,
        _ conditions: inout Conditions
    ) {
        guard devices.hub.engine != nil, devices.hub.device.run == hubRun, devices[.hub].pausedUntil <= agenda.now
        else { return handshakeFailed(.brokenOff, of: number, devices, &agenda, conditions) }
        let attempt = ends[number].socket.attempt
        if let failure = conditions.connectFailure(of: number, attempt: attempt, atSocket: false)?.handshake {
            return handshakeFailed(failure, of: number, devices, &agenda, conditions)
        }
        let watch = devices.watches[number]
        ends[number].isShutOut = !devices.hub.admitted.contains(watch.provenKey)
        guard !ends[number].isShutOut else {
            return handshakeFailed(.denied, of: number, devices, &agenda, conditions)
        }
        let connection = open(number, watch.provenKey, devices)
        guard ends[number].socket.succeeded(connection) else { return leave(connection, &agenda, conditions) }
        if watch.isPairing {
            agenda.add(.pairing(number, .connected))
        } else {
            agenda.give(.watch(number, .connected))
        }
        agenda.report(.connects(number, connection: connection))
    }

    private mutating func handshakeFailed(
        _ failure: ConnectionSupervisor.HandshakeFailure, of number: Int, _ devices: VirtualDevices,
        _ agenda: inout Agenda, _ conditions: Conditions
    ) {
        agenda.report(.handshakeFails(number, failure))
        if ends[number].socket.failed(failure, at: moment(number, devices, agenda)) {
            if let wait = conditions.retryInterval { dial(number, after: wait, devices, &agenda, conditions) }
        } else {
            setSocketTimer(number, devices, &agenda, conditions)
        }
    }

    // MARK: - Connections

    private mutating func open(_ number: Int, _ key: PeerKey, _ devices: VirtualDevices) -> Int {
        network.open(
            watch: number, watchRun: devices.watches[number].device.run, hubRun: devices.hub.device.run, peer: key)
    }

    /// Opens a connection on which a watch is paired, beside its process; returns its number.
    mutating func openForPairing(
        _ number: Int, invitation: PeerKey, frameTime: Duration, _ devices: VirtualDevices
    ) -> Int {
        let connection = open(number, invitation, devices)
        pairingConnections[connection] = frameTime
        return connection
    }

    /// A watch no longer uses a connection; the hub's end may stay open for a while.
    private mutating func leave(_ connection: Int, _ agenda: inout Agenda, _ conditions: Conditions) {
        network.leave(connection)
        let delay = conditions.leaveDelay(of: network[connection].watch, connection: connection)
        guard delay > .zero else { return network.close(connection) }
        agenda.plan(.forget(connection: connection), after: delay)
    }

    /// A watch no longer uses its connection, if it has one.
    mutating func leaveConnection(of number: Int, _ agenda: inout Agenda, _ conditions: Conditions) {
        if let connection = connection(of: number) { leave(connection, &agenda, conditions) }
    }

    /// The hub closes a connection; what it has sent before arrives.
    mutating func close(_ name: ConnectionID, _ agenda: inout Agenda, _ conditions: Conditions) {
        let connection = VirtualNetwork.connection(name)
        guard network.knows(connection) else { return }
        network.close(connection)
        guard network[connection].isOpenAtWatch else { return }
        hangUp(connection, after: conditions.closeDelay(of: connection), &agenda)
    }

    /// The hub's end of a connection is gone; that of the watch may stay open, without a peer.
    mutating func breakHubEnd(of connection: Int) { network.close(connection) }

    /// The hub's process has ended, and with it its ends of all connections.
    mutating func endHub(run: Int, _ agenda: inout Agenda, _ conditions: Conditions) {
        unroutable = []
        for connection in network.endHub(run: run) {
            hangUp(connection, after: conditions.endDelay(of: connection), &agenda)
        }
    }

    /// Lets a watch notice after a while that a connection is gone.
    func hangUp(_ connection: Int, after delay: Duration, _ agenda: inout Agenda) {
        agenda.plan(.hangUp(network[connection].watch, connection: connection), after: delay)
    }

    /// A watch notices that its connection is gone.
    mutating func hangUp(
        _ number: Int, connection: Int, _ devices: VirtualDevices, _ agenda: inout Agenda, _ conditions: Conditions
    ) {
        guard self.connection(of: number) == connection,
            devices.watches[number].device.run == network[connection].watchRun
        else { return }
        leave(connection, &agenda, conditions)
        agenda.add(.redial(number))
        if ends[number].socket.lost() { agenda.give(.watch(number, .disconnected)) }
        agenda.report(.hangsUp(number, connection: connection))
    }

    /// Both ends lose their connection, and know it.
    mutating func disconnect(
        _ number: Int, _ devices: VirtualDevices, _ agenda: inout Agenda, _ conditions: Conditions
    ) {
        guard let connection = connection(of: number) else { return }
        let isOpenAtHub = network[connection].isOpenAtHub
        closeSocket(number, &agenda, conditions)
        _ = ends[number].socket.lost()
        network.close(connection)
        let delay = conditions.closeDelay(of: connection)
        agenda.plan(
            .input(.watch(number, .disconnected), run: devices.watches[number].device.run), after: delay)
        if isOpenAtHub {
            agenda.plan(
                .input(.hub(.unroutable(VirtualNetwork.name(connection))), run: devices.hub.device.run), after: delay)
        }
        dialSoon(number, devices, &agenda)
    }

    // MARK: - Frames

    /// The hub sends a frame, if the connection is still there.
    mutating func send(
        _ frame: Frame, to name: ConnectionID, hubRun: Int, _ agenda: inout Agenda, _ conditions: inout Conditions
    ) {
        let connection = VirtualNetwork.connection(name)
        if network[connection].hubRun == hubRun, network[connection].isOpenAtHub {
            send(frame, on: connection, isToHub: false, &agenda, &conditions)
        } else if !unroutable.contains(name) {
            unroutable.append(name)
        }
    }

    /// Returns the connections on which the hub could not send since the last call.
    mutating func takeUnroutable() -> [ConnectionID] {
        defer { unroutable = [] }
        return unroutable
    }

    /// A watch sends a frame, if it has a connection, or on the one on which it is paired.
    mutating func send(
        _ frame: Frame, from number: Int, on pairing: Int? = nil, _ agenda: inout Agenda,
        _ conditions: inout Conditions
    ) {
        guard let connection = pairing ?? connection(of: number) else { return }
        send(frame, on: connection, isToHub: true, &agenda, &conditions)
    }

    private mutating func send(
        _ frame: Frame, on connection: Int, isToHub: Bool, _ agenda: inout Agenda, _ conditions: inout Conditions
    ) {
        let (number, now) = (network[connection].watch, agenda.now)
        var message = VirtualNetwork.Message(
            connection: connection, isToHub: isToHub, parts: FrameCodec.parts(of: frame), kind: frame.kind, sent: now)
        agenda.report(.sends(frame, message))
        // What pairs a watch on its own connection passes whatever the state of the link.
        let outcome: VirtualLink.Outcome =
            if let delay = pairingConnections[connection] {
                .arrives(VirtualNetwork.Passage(delay: delay), nil)
            } else {
                conditions.outcome(of: &message, from: number, on: &ends[number].link, now: now)
            }
        agenda.report(.outcome(outcome, frame.kind, to: Side(watch: number, isHub: isToHub), connection: connection))
        guard case .arrives(let passage, _) = outcome else { return }
        let times = network.send(&message, passage, now: now)
        agenda.plan(.message(message), at: times.arrival)
        if let copy = times.copy { agenda.plan(.message(message), at: copy) }
    }

    /// A message has arrived; false if no process is there to receive it, or if it arrives later.
    func arrives(
        _ message: VirtualNetwork.Message, _ devices: VirtualDevices, _ agenda: inout Agenda,
        _ conditions: inout Conditions
    ) -> Bool {
        let connection = network[message.connection]
        let watch = devices.watches[connection.watch]
        let isAlive =
            message.isToHub
            ? devices.hasEngine(.hub, run: connection.hubRun)
            : isForPairing(message.connection) || watch.isAlive && connection.watchRun == watch.device.run
        guard isAlive else { return false }
        if connection.isOpenAtWatch || message.isLate { return true }
        guard let delay = conditions.lateness(of: message, from: connection.watch) else { return false }
        agenda.report(.delays(message))
        var late = message
        late.isLate = true
        agenda.plan(.message(late), after: delay)
        return false
    }
}
