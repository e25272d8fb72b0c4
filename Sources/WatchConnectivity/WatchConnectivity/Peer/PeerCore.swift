import SyncCore

/// The state that the lanes of a peer share: the time, the device and the app, the calls of the app, and the outputs.
struct PeerCore: Sendable {
    /// What to do when a record is durable, or could not be stored.
    enum Step: Hashable, Sendable {
        /// Nothing; a change that could not be stored is stored later.
        case lasting
        /// The copy of a file is recorded, or will be later.
        case copy(file: UInt64)
        case ownContext(ContextQueue.Versioned)
        case receivedContext(ContextQueue.Versioned, MessageID)
        case counterpart(MessageID)
        case userInfo(UInt64)
        /// The engine is asked to give this user info back.
        case userInfoRecall([UInt64])
        case file(UInt64)
        /// The end of a file, by its id in the engine.
        case fileEnd(RandomID?)
        case cancellation(RandomID, MessageID)
    }

    /// The request that an answer of the engine belongs to.
    enum Question: Hashable, Sendable {
        case status
        case context(ContextVersion)
        case message(PeerState.MessageToken)
        case reply
        case userInfo(UInt64, RandomID)
        /// User info was cancelled.
        ///
        /// Without a number its end is already settled, whatever the answer is.
        case userInfoCancelled(UInt64?, RandomID)
        /// User info is to go behind other user info.
        case userInfoRecalled(UInt64, RandomID)
        case file(UInt64)
        case fileCancelled(UInt64, RandomID)
        case cancellation(RandomID)
        /// The answer to a message of the other device's peer.
        case acknowledgement
    }

    let configuration: PeerState.Configuration
    private(set) var moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0)

    // MARK: The device and the app
    var device: DeviceSide
    var appState = PeerState.AppState.notRunning
    /// Whether the app has high priority in the background; this ends with the process.
    var hasPriority = false
    var activation = WCSessionActivationState.notActivated
    /// Whether the phone's default session is for this watch (phone).
    var isChosen = true
    /// The facts that the app has been notified of.
    var knownFacts = SessionFacts()
    var backgroundTime = BackgroundTime()
    var delegateCalls: DelegateCallQueue

    // MARK: What goes out
    private var outputs: [PeerState.Output] = []
    private var nextOutputIndex = 0
    private var lastTag: UInt64 = 0
    private var asked: [PeerState.EngineTag: Question] = [:]
    private var lastRecord: UInt64 = 0
    private var storing: [UInt64: Step] = [:]
    /// The changes that the disk rejected, and whose failure no request waits for: they are tried again.
    private var unstored: [String: [UInt8]?] = [:]
    private var storeRetry = Retry(longest: Retry.shortest)
    /// Whether the engine's transport is about to end, or has ended: no transfer is handed over until the next one
    /// runs.
    var isEngineEnding = false

    /// Starts from the contents of a store.
    init(_ configuration: PeerState.Configuration, _ stored: [String: [UInt8]]) {
        self.configuration = configuration
        device = DeviceSide(stored)
        delegateCalls = DelegateCallQueue(seed: configuration.behaviour.drainOrderSeed)
        knownFacts = facts
    }

    var role: PeerState.Role { configuration.role }
    var behaviour: SessionBehaviour { configuration.behaviour }
    var now: Instant { moment.monotonic }

    // MARK: - Outputs

    /// Prepares for an input.
    mutating func beginTurn(at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "something happened before the outputs were drained")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        self.moment = moment
    }

    /// The next output; nil when all were taken.
    mutating func nextOutput() -> PeerState.Output? {
        guard nextOutputIndex < outputs.count else {
            outputs = []
            nextOutputIndex = 0
            return nil
        }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    mutating func put(_ output: PeerState.Output) {
        outputs.append(output)
    }

    /// Writes a line of the trace, if there is one.
    mutating func note(_ event: @autoclosure () -> TraceEvent) {
        guard configuration.isTraced else { return }
        put(.trace(event()))
    }

    /// Writes a warning for developers to the trace.
    mutating func warn(_ text: String) {
        put(.trace(.warning(text)))
    }

    // MARK: - Disk

    /// Makes changes durable.
    ///
    /// For steps other than ``Step/lasting`` and ``Step/copy(file:)``, the step handles a failure.
    mutating func store(_ changes: [PeerState.StoredChange], _ step: Step = .lasting) {
        lastRecord += 1
        storing[lastRecord] = step
        for change in changes { unstored[change.key] = nil }
        put(.persist(PeerState.Record(number: lastRecord, changes: changes)))
    }

    /// The step that follows a record; nil if it was already taken.
    mutating func step(after record: PeerState.Record) -> Step? {
        storing.removeValue(forKey: record.number)
    }

    /// A lasting record was not stored: its changes are tried again.
    mutating func storeLater(_ record: PeerState.Record) {
        for change in record.changes { unstored[change.key] = .some(change.value) }
        storeRetry.failed(at: now)
    }

    /// Tries again to store the changes that the disk rejected.
    mutating func storeAgain() {
        guard storeRetry.isOver(at: now), !unstored.isEmpty else { return }
        store(unstored.sorted { $0.key < $1.key }.map { PeerState.StoredChange(key: $0.key, value: $0.value) })
    }

    var storeDeadline: Instant? { storeRetry.deadline }

    // MARK: - Engine

    /// Sends a request to the engine.
    ///
    /// The answer, or nil if the transport ended, belongs to this question.
    mutating func ask(_ request: PeerState.EngineRequest, _ question: Question) {
        lastTag += 1
        let tag = PeerState.EngineTag(number: lastTag)
        asked[tag] = question
        put(.engine(tag, request))
    }

    /// Sends the other device's peer a message that it only confirms.
    mutating func send(_ envelope: Envelope, timeout: Duration, _ question: Question) {
        ask(.message(Message(payload: envelope.encoded, wantsReply: false, timeout: timeout)), question)
    }

    /// Removes and returns the question with this tag.
    mutating func question(_ tag: PeerState.EngineTag) -> Question? { asked.removeValue(forKey: tag) }

    /// Sends the engine a request without an answer.
    mutating func tell(_ request: PeerState.EngineRequest) {
        lastTag += 1
        put(.engine(PeerState.EngineTag(number: lastTag), request))
    }

    /// Confirms a message of the other device's peer.
    mutating func confirm(_ id: MessageID) {
        ask(.reply(id, []), .acknowledgement)
    }

    /// Refuses a message of the other device's peer.
    ///
    /// The text starts with the code, which that peer reads.
    mutating func decline(
        _ id: MessageID, _ code: WCError.Code, _ text: String, as refusal: MessageRefusal = .failed
    ) {
        ask(.decline(id, refusal, text: "\(code.rawValue) \(text)"), .acknowledgement)
    }

    // MARK: - Permission to send

    /// Why nothing can be sent now; of several reasons, the one that is checked first.
    func refusal(hasDelegate: Bool) -> WCError.Code? {
        guard hasDelegate else { return .sessionMissingDelegate }
        switch activation {
        case .notActivated: return .sessionNotActivated
        case .inactive: return .sessionInactive
        case .activated: break
        }
        switch role {
        case .phone:
            guard knownFacts.isPaired else { return .deviceNotPaired }
            return knownFacts.isCounterpartInstalled ? nil : .watchAppNotInstalled
        case .watch:
            if device.own.isWatchOnly { return .watchOnlyApp }
            return knownFacts.isCounterpartInstalled ? nil : .companionAppNotInstalled
        }
    }

    /// Why a request of the app cannot be carried out now.
    ///
    /// Also warns about mistakes that the app would not notice: calls that come too early, without a process, or
    /// without a delegate.
    mutating func refusal(of what: String, hasDelegate: Bool) -> WCError.Code? {
        let code = refusal(hasDelegate: hasDelegate)
        if !isProcessMissing(for: what) {
            if code == .sessionMissingDelegate {
                warn("\(what) without a delegate (\(WCError.Code.sessionMissingDelegate.rawValue))")
            } else if code == .sessionNotActivated {
                warn("\(what) before the activation completed (\(WCError.Code.sessionNotActivated.rawValue))")
            }
        }
        return code
    }

    /// Whether the app is not running, so that it cannot make the call; writes a warning in that case.
    mutating func isProcessMissing(for what: String) -> Bool {
        guard appState == .notRunning else { return false }
        warn("\(what) by an app that is not running: start it with `device.app = .foreground`")
        return true
    }

    /// Warns that code calls which a suspended app could not run.
    mutating func warnOfSuspension(_ what: String) {
        warn("\(what) by an app that is suspended, whose code does not run: wake it with `device.app = .background`")
    }

    /// Checks what a payload holds, and its size.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - limit: The most bytes that count.
    ///   - sentLimit: The most bytes that can be sent.
    ///   - what: The call, for the warning.
    /// - Returns: The error, or nil if it can be sent.
    mutating func fault(
        of payload: PeerState.Payload, limit: Int, sentLimit: Int, _ what: String
    ) -> WCError.Code? {
        switch payload {
        case .unsupported(let keyPath, let type):
            warn("\(what): the value at \(keyPath) is a \(type), which no property list holds (7010)")
            return .payloadUnsupportedTypes
        case .bytes(let bytes, let counted):
            let count = counted ?? bytes.count
            if count <= limit, bytes.count <= sentLimit { return nil }
            let (size, most) = count > limit ? (count, limit) : (bytes.count, sentLimit)
            warn("\(what): \(size) bytes are more than \(most) (7009)")
            return .payloadTooLarge
        }
    }

    // MARK: - The devices

    /// What the states of both devices mean for the app.
    var facts: SessionFacts {
        let counterpart = device.counterpart
        var facts = SessionFacts(isPaired: device.isPaired)
        facts.isCounterpartInstalled =
            device.isPaired && counterpart?.isInstalled == true && counterpart?.isWatchOnly == false
        switch role {
        case .phone:
            facts.isComplicationEnabled = facts.isCounterpartInstalled && counterpart?.isComplicationEnabled == true
        case .watch: facts.isComplicationEnabled = device.own.isComplicationEnabled
        }
        facts.isReachable = device.isLinked && facts.isCounterpartInstalled && (isAwake || behaviour.claimsReachability)
        return facts
    }

    /// Whether the apps are in the states that live messages require: a watch's app in front, and active for the phone.
    private var isAwake: Bool {
        switch role {
        case .phone: device.counterpartNow?.appState == .foreground && device.counterpartNow?.isActivated == true
        case .watch:
            presence == .foreground && device.counterpartNow?.isLocked == false
                && (device.counterpartNow?.usesOtherWatch == false || behaviour.inactiveWatchIsReachable)
        }
    }

    /// The app's state for the counterpart and for live messages: with high priority, the background counts as
    /// foreground.
    var presence: PeerState.AppState { appState == .background && hasPriority ? .foreground : appState }

    /// The error code for the other app while this device's app is not installed.
    var notInstalledCode: WCError.Code { role == .watch ? .watchAppNotInstalled : .companionAppNotInstalled }

    /// Requests the launch of a watch's app for background content; a phone's app is not launched for that.
    mutating func launchWatchApp(_ reason: PeerState.LaunchReason) {
        guard role == .watch, !appState.isRunning else { return }
        note(.device("background content launches the app: \(reason.rawValue)"))
        backgroundTime.isOwed = true
        put(.launchApp(reason))
    }
}

/// The time of the next attempt after a failure; the pause doubles with each failure.
struct Retry: Sendable {
    static let shortest = Duration.seconds(1)
    private(set) var deadline: Instant?
    private var pause = Retry.shortest
    private let longest: Duration

    init(longest: Duration) {
        self.longest = longest
    }

    mutating func failed(at now: Instant) {
        deadline = now.advanced(by: pause)
        pause = min(pause * 2, longest)
    }

    mutating func reset() {
        deadline = nil
        pause = Self.shortest
    }

    /// Ends the wait; the length of the next pause stays the same.
    mutating func cancel() { deadline = nil }

    /// Whether there is no wait, or the wait is over.
    mutating func isOver(at now: Instant) -> Bool {
        if let due = deadline, due <= now { deadline = nil }
        return deadline == nil
    }
}
