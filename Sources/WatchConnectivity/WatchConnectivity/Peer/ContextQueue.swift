import SyncCore

/// The application contexts of a pairing: this app's, with the versions that are not sent yet, and the received ones.
///
/// While the devices are linked, every update is sent, one after the other; after an interruption only the newest.
/// The receiver stores one context, and a short queue of those that arrive while its app runs.
struct ContextQueue: Sendable {
    private enum Key {
        static let incarnation = "context.incarnation"
        static let own = "context.own"
        static let acknowledged = "context.acknowledged"
        static let received = "context.received"
        static let given = "context.given"
        static let all = [incarnation, own, acknowledged, received, given]
    }

    /// A context with its version.
    struct Versioned: Hashable, Sendable {
        var version: ContextVersion
        var payload: [UInt8]

        init(version: ContextVersion, payload: [UInt8]) {
            self.version = version
            self.payload = payload
        }

        init?(_ bytes: [UInt8]?) {
            guard let bytes else { return nil }
            var unpacker = ByteReader(bytes)
            guard let incarnation = unpacker.id(), let number = unpacker.counter() else { return nil }
            version = ContextVersion(incarnation: incarnation, number: number)
            payload = unpacker.all()
        }

        var packed: [UInt8] {
            var packer = ByteWriter(byteCount: payload.count + 24)
            packer.put(version.incarnation)
            packer.put(version.number)
            packer.putRest(payload)
            return packer.bytes
        }
    }

    /// A context that waits for the app.
    private struct Pending: Sendable {
        var ticket: UInt64
        var context: Versioned
        /// Whether it was delivered before.
        var isReplay = false
    }

    /// The most updates that wait for the link; beyond that only the newest stays, since nothing more is promised.
    private static let unsentCountMax = 256
    /// The most contexts that wait for the app; beyond that the oldest is dropped, for the same reason.
    ///
    /// A context is confirmed as soon as it is stored, so its sender may be faster than the app's delegate for any
    /// length of time.
    private static let inboxCountMax = 16
    /// The most bytes of a context that the engine accepts.
    private static let byteCountLimit = 524_288 - 64

    /// The random identifier of this store's numbering of contexts.
    private var incarnation: RandomID
    private(set) var own: Versioned?
    /// The number of the last update, durable or not yet.
    private var lastNumber: UInt64
    /// The app's last context, durable or not yet.
    private var lastSet: [UInt8]?
    /// The highest number that the counterpart has confirmed.
    private var acknowledged: UInt64
    /// The contexts that are not sent yet, oldest first.
    private var unsent = Queue<Versioned>()
    private var isUnderWay = false
    private var retry = Retry(longest: .seconds(8))
    private var received: Versioned?
    /// The version of the last received context that the app got.
    private var givenVersion: ContextVersion?
    /// The contexts that wait for the app, oldest first, after the one of the present call; the last one is
    /// `received`.
    private var inbox = Queue<Pending>()
    /// The received context that the app sees.
    private(set) var shown: [UInt8]?

    /// Starts from the contents of a store.
    init(_ stored: [String: [UInt8]], _ generator: inout SplitMix64, _ delegateCalls: inout DelegateCallQueue) {
        own = Versioned(stored[Key.own])
        lastNumber = own?.version.number ?? 0
        lastSet = own?.payload
        let name = stored[Key.incarnation].flatMap { bytes in
            var unpacker = ByteReader(bytes)
            return unpacker.id()
        }
        acknowledged =
            stored[Key.acknowledged].flatMap { bytes in
                var unpacker = ByteReader(bytes)
                return unpacker.counter()
            } ?? 0
        received = Versioned(stored[Key.received])
        givenVersion = Versioned(stored[Key.given])?.version
        incarnation = name ?? RandomID(using: &generator)
        if let received, received.version != givenVersion {
            inbox.append(Pending(ticket: delegateCalls.nextTicket(), context: received))
        }
    }

    var deadline: Instant? { retry.deadline }
    /// The number of contexts that wait for the app.
    var waitingCount: Int { inbox.count }

    // MARK: - Sending

    /// The app replaces its context; the context is durable before the answer.
    mutating func update(_ payload: PeerState.Payload, hasDelegate: Bool, _ core: inout PeerCore) {
        let what = "updateApplicationContext"
        let refusal = core.refusal(of: what, hasDelegate: hasDelegate)
        let code =
            refusal
            ?? core.fault(
                of: payload, limit: core.behaviour.contextByteCountMax, sentLimit: Self.byteCountLimit, what)
        if let code {
            core.note(.app("\(what): \(code.rawValue)"))
            return core.put(.answered(code))
        }
        guard case .bytes(let bytes, _) = payload else { return }
        if bytes == lastSet {
            // An equal context is not sent.
            core.warn(
                "\(what): the context equals the one that was set before, so it is not sent; change something in it")
            return core.put(.answered(nil))
        }
        lastNumber += 1
        lastSet = bytes
        let context = Versioned(
            version: ContextVersion(incarnation: incarnation, number: lastNumber), payload: bytes)
        core.note(.app("\(what): context \(lastNumber), \(bytes.count) bytes"))
        var name = ByteWriter()
        name.put(incarnation)
        core.store(
            [.init(key: Key.incarnation, value: name.bytes), .init(key: Key.own, value: context.packed)],
            .ownContext(context))
    }

    /// An update is durable, or could not be stored.
    mutating func stored(_ context: Versioned, isDurable: Bool, _ core: inout PeerCore) {
        guard isDurable else {
            lastSet = own?.payload
            return core.put(.answered(.genericError))
        }
        own = context
        unsent.append(context)
        if !core.device.isLinked {
            unsent.keepLast()
        } else if unsent.count > Self.unsentCountMax {
            core.warn("\(unsent.count) contexts wait for the link; only the newest is kept")
            unsent.keepLast()
        }
        core.put(.answered(nil))
    }

    /// The link changed, or whether the counterpart has the app: only the newest context is sent from now on.
    mutating func linkChanged() {
        retry.reset()
        unsent = Queue()
        if let own, own.version.number > acknowledged { unsent.append(own) }
    }

    /// The counterpart's app was removed: the context was for that installation, as what was queued.
    mutating func counterpartRemoved(_ generator: inout SplitMix64, _ core: inout PeerCore) {
        acknowledged = 0
        var changed = [Key.acknowledged]
        if !core.behaviour.resendsContextAfterReinstall {
            forgetOwn(&generator)
            changed += [Key.own, Key.incarnation]
        }
        core.store(changed.map { .init(key: $0, value: nil) })
    }

    /// Forgets this app's context; a new numbering begins.
    private mutating func forgetOwn(_ generator: inout SplitMix64) {
        own = nil
        lastSet = nil
        unsent = Queue()
        retry.cancel()
        incarnation = RandomID(using: &generator)
        lastNumber = 0
        acknowledged = 0
    }

    /// Sends the oldest waiting update, if none is on its way.
    mutating func send(_ core: inout PeerCore) {
        guard retry.isOver(at: core.now), core.device.isLinked, core.knownFacts.isCounterpartInstalled, !isUnderWay,
            let context = unsent.first
        else { return }
        isUnderWay = true
        core.note(.link("→ context \(context.version.number), \(context.payload.count) bytes"))
        core.send(.context(context.version, context.payload), timeout: .seconds(10), .context(context.version))
    }

    /// The counterpart has confirmed a context, or not.
    mutating func answered(_ version: ContextVersion, _ answer: TransferAnswer?, _ core: inout PeerCore) {
        isUnderWay = false
        guard version.incarnation == incarnation else { return }
        guard case .exchange(.delivered) = answer else {
            core.note(.link("context \(version.number) was not confirmed: \(PeerState.words(of: answer))"))
            if core.device.isLinked { retry.failed(at: core.now) }
            return
        }
        retry.reset()
        unsent.removeAll { $0.version.number <= version.number }
        guard version.number > acknowledged else { return }
        acknowledged = version.number
        var packer = ByteWriter()
        packer.put(version.number)
        core.store([.init(key: Key.acknowledged, value: packer.bytes)])
    }

    // MARK: - Receiving

    /// A context arrived; it is made durable before it is confirmed.
    mutating func arrived(_ context: Versioned, in message: MessageID, _ core: inout PeerCore) {
        core.note(.link("← context \(context.version.number), \(context.payload.count) bytes"))
        guard core.device.own.isInstalled else {
            return core.decline(message, core.notInstalledCode, "the app is not installed")
        }
        guard isNews(context.version) else { return core.confirm(message) }
        core.store([.init(key: Key.received, value: context.packed)], .receivedContext(context, message))
    }

    /// A received context is durable, or could not be stored.
    mutating func stored(
        _ context: Versioned, in message: MessageID, isDurable: Bool, _ core: inout PeerCore
    ) {
        guard isDurable else { return core.decline(message, .genericError, "the context could not be stored") }
        if isNews(context.version) { queue(context, &core) }
        core.confirm(message)
    }

    private func isNews(_ version: ContextVersion) -> Bool {
        guard let last = received?.version, last.incarnation == version.incarnation else { return true }
        return version.number > last.number
    }

    private mutating func queue(_ context: Versioned, _ core: inout PeerCore) {
        received = context
        // A running app gets each context; for one that does not run, only the newest is kept.
        if !core.appState.isRunning || core.activation == .notActivated {
            core.delegateCalls.withdraw { if case .context = $0 { true } else { false } }
            inbox = Queue()
        }
        inbox.append(Pending(ticket: core.delegateCalls.nextTicket(), context: context))
        skipOldest(&core)
        core.launchWatchApp(.context)
    }

    /// Drops the oldest context if too many wait for the app; the one of the present call does not count as waiting.
    private mutating func skipOldest(_ core: inout PeerCore) {
        let waiting = inbox.all.filter { !core.delegateCalls.isRunning(.context($0.ticket)) }
        guard waiting.count > Self.inboxCountMax, let oldest = waiting.first else { return }
        let number = oldest.context.version.number
        core.warn("context \(number) is skipped: \(Self.inboxCountMax) newer ones wait for the app")
        core.delegateCalls.withdraw { $0 == .context(oldest.ticket) }
        inbox.removeAll { $0.ticket == oldest.ticket }
    }

    // MARK: - The app

    /// The next call of the app.
    var due: DelegateCallQueue.Due? {
        inbox.first.map { .init(ticket: $0.ticket, kind: .context($0.ticket), call: .context($0.context.payload)) }
    }

    /// The app is about to be called with a context.
    mutating func show(_ payload: [UInt8]) { shown = payload }

    /// The app has received a context.
    mutating func given(_ ticket: UInt64, _ core: inout PeerCore) {
        guard let pending = inbox.first, pending.ticket == ticket else { return }
        inbox.popFirst()
        guard givenVersion != pending.context.version else { return }
        givenVersion = pending.context.version
        let name = Versioned(version: pending.context.version, payload: [])
        core.store([.init(key: Key.given, value: name.packed)])
    }

    /// The session is active from now on.
    mutating func activated(_ core: inout PeerCore) {
        shown = received?.payload
        replay(isLaunch: true, &core)
    }

    /// The session is no longer active.
    mutating func deactivated() { shown = nil }

    /// Delivers the last context again, if the configured behaviour asks for it.
    mutating func replay(isLaunch: Bool, _ core: inout PeerCore) {
        if isLaunch, core.behaviour.deliversLaunchContextTwice, var again = inbox.all.last {
            again.ticket = core.delegateCalls.nextTicket()
            inbox.append(again)
        }
        guard core.behaviour.replaysContexts, inbox.isEmpty else { return }
        let ticket = core.delegateCalls.nextTicket()
        if let received { inbox.append(Pending(ticket: ticket, context: received, isReplay: true)) }
    }

    mutating func retakeTickets(_ delegateCalls: inout DelegateCallQueue) {
        inbox.modifyAll { $0.ticket = delegateCalls.nextTicket() }
    }

    /// The app's process ended.
    mutating func processEnded() {
        shown = nil
        inbox.removeAll { $0.isReplay }
        inbox.keepLast()
    }

    /// Removes the contexts of this pairing or app; a new numbering begins.
    mutating func discard(_ generator: inout SplitMix64, _ core: inout PeerCore) {
        forgetOwn(&generator)
        received = nil
        givenVersion = nil
        inbox = Queue()
        shown = nil
        core.store(Key.all.map { .init(key: $0, value: nil) })
    }
}
