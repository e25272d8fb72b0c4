internal import Platform
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The work of the network thread: looks up the name, connects, and serves the connection until it ends.
///
/// It calls libmosquitto from its own `poll` loop. libmosquitto's own loops are not suitable, for three reasons. They
/// reconnect, or give up without an error. They use `select`, which fails for descriptors above 1023. And they write
/// the acknowledgement of a message in the same call in which the handler got it, so the handler could not prevent
/// that.
///
/// It belongs to the network thread alone.
final class NetworkLoop {
    private enum Opening {
        case established
        case failed(Errno)
        case over(Client.EndReason)
    }

    /// An address to connect to, as libmosquitto needs it.
    private struct Target {
        let host: String
        /// Restricts the connection to the family of this address.
        let localAddress: String?
    }

    let core: SharedClientState
    let handle: Handle
    let handler: (Client.Event) -> Void
    /// What the callbacks have recorded so far.
    var notes = ConnectionNotes()
    /// The number of messages that the handler got since the last pause.
    var messageCount = 0
    private let broker: BrokerAddress
    private let lookup: NameLookup
    private let deadline: ContinuousClock.Instant
    private let isEncrypted: Bool
    /// Whether to read although the socket is not readable, because OpenSSL may hold decrypted data.
    private var mustRead: Bool
    private var descriptors = [pollfd(), pollfd()]

    init(
        core: SharedClientState, handle: Handle, broker: BrokerAddress, lookup: NameLookup,
        handler: @escaping (Client.Event) -> Void
    ) {
        self.core = core
        self.handle = handle
        self.handler = handler
        self.broker = broker
        self.lookup = lookup
        deadline = .now + core.options.connectTimeout
        isEncrypted = core.options.tls != nil
        // In TLS the client speaks first, and libmosquitto does that when it is asked to read.
        mustRead = isEncrypted
    }

    /// Connects and serves the connection.
    ///
    /// - Returns: Why it ended.
    func run() -> Client.EndReason {
        setCallbacks()
        defer { removeCallbacks() }
        switch findAddresses() {
        case .over(let reason): return reason
        case .found(let addresses): return connect(to: targets(for: addresses)) ?? serve()
        }
    }

    /// Waits until the socket is ready, the wake signal is raised, or the deadline has come.
    ///
    /// - Returns: The events of the socket; may be empty.
    private func wait(for events: Int32, of socket: Int32?, until time: ContinuousClock.Instant?) -> Int32 {
        descriptors[0] = pollfd(fd: socket ?? -1, events: Int16(events), revents: 0)
        descriptors[1] = pollfd(fd: core.wake.fileDescriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds(until: time))
        // After an interruption no events are reported; any other failure would be a mistake of this module.
        if count < 0 {
            precondition(errno == EINTR || errno == EAGAIN || errno == ENOMEM, "poll failed: \(Errno.last)")
            return 0
        }
        if descriptors[1].revents != 0 { core.wake.lower() }
        return Int32(descriptors[0].revents)
    }

    /// The time to wait in whole milliseconds, rounded up; -1 for no limit.
    private func milliseconds(until time: ContinuousClock.Instant?) -> Int32 {
        guard let time else { return -1 }
        let parts = ContinuousClock.now.duration(to: time).components
        guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 0 }
        guard parts.seconds < 86_400 else { return 86_400_000 }
        return Int32(parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

// MARK: - Name lookup

extension NetworkLoop {
    private enum Search {
        case found([NumericAddress])
        case over(Client.EndReason)
    }

    private func findAddresses() -> Search {
        if let address = NameLookup.numericAddress(broker.host) { return .found([address]) }
        let pending: PendingLookup
        do throws(MQTTError) {
            pending = try PendingLookup(of: broker.host, by: lookup, wake: core.wake)
        } catch {
            return .over(.nameNotFound(host: broker.host, words: "\(error)"))
        }
        while true {
            switch pending.result {
            case .success(let addresses): return .found(addresses)
            case .failure(let failure): return .over(.nameNotFound(host: broker.host, words: failure.words))
            case nil: break
            }
            if core.requestedEnd != .none { return .over(.closed) }
            if .now >= deadline { return .over(.timedOut(.lookingUpName)) }
            _ = wait(for: 0, of: nil, until: deadline)
        }
    }
}

// MARK: - Connecting

extension NetworkLoop {
    /// The targets to connect to, one after the other.
    ///
    /// Without TLS these are all addresses. With TLS libmosquitto must get the name, because it checks the
    /// certificate against it; it then uses the first address of the name. A local address can at least select the
    /// address family.
    private func targets(for addresses: [NumericAddress]) -> [Target] {
        if !isEncrypted { return addresses.map { Target(host: $0.text, localAddress: nil) } }
        var families: [NumericAddress.Family] = []
        for address in addresses where !families.contains(address.family) { families.append(address.family) }
        if families.count < 2 { return [Target(host: broker.host, localAddress: nil)] }
        return families.map { Target(host: broker.host, localAddress: $0.anyAddress) }
    }

    /// Connects to the first target that accepts.
    ///
    /// - Returns: The end, if there is no connection.
    private func connect(to targets: [Target]) -> Client.EndReason? {
        var lastReason = Client.EndReason.timedOut(.connecting)
        for (index, target) in targets.enumerated() {
            // Each target gets an equal share of the remaining time, so that an unresponsive one leaves time for the
            // others.
            let share = ContinuousClock.now.duration(to: deadline) / (targets.count - index)
            switch open(target, until: .now + share) {
            case .established: return nil
            case .over(let reason): return reason
            case .failed(Errno.timedOut): lastReason = .timedOut(.connecting)
            case .failed(let error): lastReason = .unreachable(error)
            }
        }
        return lastReason
    }

    private func open(_ target: Target, until time: ContinuousClock.Instant) -> Opening {
        let result = handle.connect(
            host: target.host, port: broker.port, keepAliveSeconds: core.options.keepAliveSeconds,
            localAddress: target.localAddress)
        // There must be no other call in between, because errno belongs to this one.
        let error = Errno.last
        switch result {
        case .success: break
        case .systemError: return .failed(error)
        case .nameLookupFailed:
            return .over(.nameNotFound(host: target.host, words: NameLookup.words(of: error.rawValue)))
        case .tls:
            noteEvidence()
            return .over(notes.tlsFailure)
        default: return .over(.failed(result))
        }
        guard let socket = handle.socket else { return .over(.failed(result)) }
        closeOnExec(socket)
        while true {
            if core.requestedEnd != .none { return .over(.closed) }
            if .now >= time { return .failed(.timedOut) }
            if wait(for: POLLOUT, of: socket, until: time) != 0 {
                let error = pendingError(of: socket)
                // libmosquitto has already begun with TLS. If the broker broke off the handshake, the broker was
                // reached, and its reason may still be readable.
                let isReached = error.rawValue == 0 || isEncrypted && error == .connectionReset
                return isReached ? .established : .failed(error)
            }
        }
    }

    private func pendingError(of socket: Int32) -> Errno {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &number, &size) == 0 else { return .last }
        return Errno(rawValue: number)
    }
}

// MARK: - Running a connection

extension NetworkLoop {
    /// Reads and writes until the connection ends.
    private func serve() -> Client.EndReason {
        while true {
            switch core.requestedEnd {
            case .none: break
            case .disconnect: return sendDisconnect()
            case .abort: return .closed
            }
            if !notes.isConnected, .now >= deadline { return .timedOut(.awaitingAcknowledgement) }
            guard let socket = handle.socket else { return endReason(after: .success) ?? .failed(.notConnected) }
            let isHandshake = isEncrypted && !notes.isConnected
            // During the handshake libmosquitto always reports that it wants to write.
            let events = isHandshake || !handle.wantsToWrite ? POLLIN : POLLIN | POLLOUT
            let happened = wait(for: events, of: socket, until: nextTurn)
            if let reason = turn(happened) { return reason }
            // libmosquitto does not treat a reset during the handshake as an end, and would wait in a loop.
            if isHandshake, happened & (POLLERR | POLLHUP) != 0, !notes.isConnected { return notes.tlsFailure }
        }
    }

    /// When to check the connection even if nothing happens; nil for never.
    private var nextTurn: ContinuousClock.Instant? {
        if mustRead { return .now }
        guard notes.isConnected else {
            // libmosquitto does not report when TLS is done and the connect packet can be sent; this timer is seldom
            // needed.
            return isEncrypted ? min(deadline, .now + .milliseconds(50)) : deadline
        }
        // libmosquitto counts the keep alive in whole seconds. The broker may have set one for a client without one.
        return .now + .seconds(1)
    }

    /// Reads and writes once, and handles the keep alive.
    private func turn(_ happened: Int32) -> Client.EndReason? {
        if mustRead || happened & ~POLLOUT != 0, let reason = readAll() { return reason }
        noteEvidence()
        let hasToWrite = handle.wantsToWrite
        if hasToWrite, let reason = endReason(after: handle.write()) { return reason }
        // A queued answer makes libmosquitto stop reading, although OpenSSL may hold more data.
        mustRead = isEncrypted && hasToWrite && (happened & POLLOUT != 0 || !handle.wantsToWrite)
        return endReason(after: handle.tick())
    }

    /// Records the progress of the TLS handshake, because the broker may break it off at the next step without a
    /// reason.
    private func noteEvidence() {
        guard isEncrypted, !notes.isConnected, var evidence = handle.evidence else { return }
        // libmosquitto can read the certificate and the end in one step, after which OpenSSL's state is gone.
        if handle.beginsRecord { evidence.isSpoken = true }
        notes.update(evidence)
    }

    /// Reads the available data, within limits; after a pause it sends the answers before it reads on.
    private func readAll() -> Client.EndReason? {
        for _ in 0..<64 {
            noteEvidence()
            let (result, isDrained) = handle.read()
            let isFull = messageCount >= core.options.messagesBetweenPauses
            let isPause = isFull || isDrained || core.requestedEnd != .none || result != .success
            // A broken connection may have delivered messages that the broker does not send again.
            if isPause { pause() }
            if let reason = endReason(after: result) { return reason }
            switch core.requestedEnd {
            case .none: break
            case .disconnect: return nil
            // The queued acknowledgements of messages that the handler rejected must not be sent.
            case .abort: return .closed
            }
            if isDrained { return nil }
            let mustWrite = isPause || messageCount == 0
            if mustWrite, handle.wantsToWrite, let reason = endReason(after: handle.write()) { return reason }
        }
        pause()
        return core.requestedEnd == .abort ? .closed : nil
    }

    /// Lets the handler store the messages that it got, whose acknowledgements are queued.
    private func pause() {
        guard messageCount > 0 else { return }
        messageCount = 0
        if core.options.messagesBetweenPauses > 1 { deliver(.pause) }
    }

    /// Sends what is queued and DISCONNECT, and waits until the broker has read it, for a second at most.
    ///
    /// If the broker has not accepted the connection yet, it does not wait.
    private func sendDisconnect() -> Client.EndReason {
        let time = ContinuousClock.Instant.now + (notes.isConnected ? .seconds(1) : .zero)
        let last = handle.socket.flatMap(LastDescriptor.init(of:))
        guard handle.disconnect() == .success else { return .closed }
        while let socket = handle.socket {
            guard core.requestedEnd != .abort, handle.write() == .success else { return .closed }
            if handle.socket == nil { break }
            guard .now < time else { return .closed }
            _ = wait(for: POLLOUT, of: socket, until: time)
        }
        guard let last else { return .closed }
        last.endSending()
        while core.requestedEnd != .abort, .now < time, !last.isAtEnd() {
            _ = wait(for: POLLIN, of: last.descriptor, until: time)
        }
        return .closed
    }

    private func endReason(after result: ResultCode) -> Client.EndReason? {
        notes.endReason(after: result, isSocketOpen: handle.socket != nil, isEncrypted: isEncrypted)
    }
}
