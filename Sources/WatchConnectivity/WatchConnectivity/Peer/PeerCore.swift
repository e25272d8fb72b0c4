import SyncCore

/// What the lanes of a companion share: the time, the device and the app, the app's calls, and what goes out.
struct PeerCore: Sendable {
    /// What follows once a record is durable, or is known not to be.
    enum Step: Hashable, Sendable {
        /// Nothing; what could not be stored is stored later.
        case lasting
        /// The copy of a file is recorded, or is so later.
        case copy(file: UInt64)
        case ownContext(ContextQueue.Versioned)
        case receivedContext(ContextQueue.Versioned, MessageID)
        case counterpart(MessageID)
        case userInfo(UInt64)
        case file(UInt64)
        /// A file's end, by its id in the engine.
        case fileEnd(RandomID?)
        case cancellation(RandomID, MessageID)
    }

    /// What an answer of the engine is about.
    enum Question: Hashable, Sendable {
        case status
        case context(ContextVersion)
        case message(PeerState.MessageToken)
        case reply
        case userInfo(UInt64, RandomID)
        /// User info was cancelled; without a number its end is settled, whatever the answer is.
        case userInfoCancelled(UInt64?, RandomID)
        case file(UInt64)
        case fileCancelled(UInt64, RandomID)
        case cancellation(RandomID)
        /// The answer to a message of the other companion.
        case acknowledgement
    }

    let configuration: PeerState.Configuration
    private(set) var moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0)

    // MARK: The device and the app
    var device: DeviceSide
    var appState = PeerState.AppState.notRunning
    /// Whether the process has high priority in the background; it ends with the process.
    var hasPriority = false
    var activation = WCSessionActivationState.notActivated
    /// The facts that the app knows.
    var noticed = SessionFacts()
    var backgroundTime = BackgroundTime()
    var desk: DelegateCallQueue

    // MARK: What goes out
    private var outputs: [PeerState.Output] = []
    private var nextOutputIndex = 0
    private var lastTag: UInt64 = 0
    private var asked: [PeerState.EngineTag: Question] = [:]
    private var lastRecord: UInt64 = 0
    private var storing: [UInt64: Step] = [:]
    /// What the disk did not take, and nobody can be refused for: it is tried again.
    private var unstored: [String: [UInt8]?] = [:]
    private var storeRetry = Retry(longest: Retry.shortest)
    /// Whether the engine's driver is about to end, or has: then no transfer is handed over before the next one runs.
    var isEngineEnding = false

    /// Starts with what a store holds.
    init(_ configuration: PeerState.Configuration, _ stored: [String: [UInt8]]) {
        self.configuration = configuration
        device = DeviceSide(stored)
        desk = DelegateCallQueue(seed: configuration.behaviour.drainOrderSeed)
        noticed = facts
    }

    var role: PeerState.Role { configuration.role }
    var behaviour: SessionBehaviour { configuration.behaviour }
    var now: Instant { moment.monotonic }

    // MARK: - Outputs

    /// Begins to take something in.
    mutating func beginTurn(at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "something happened before the outputs were drained")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        self.moment = moment
    }

    /// The next thing to do, nil when all is done.
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

    /// Points out what a developer should look at.
    mutating func warn(_ text: String) {
        put(.trace(.warning(text)))
    }

    // MARK: - Disk

    /// Makes changes durable; a step other than ``Step/lasting`` and ``Step/copy(file:)`` says what a failure leads to.
    mutating func store(_ changes: [PeerState.StoredChange], _ step: Step = .lasting) {
        lastRecord += 1
        storing[lastRecord] = step
        for change in changes { unstored[change.key] = nil }
        put(.persist(PeerState.Record(number: lastRecord, changes: changes)))
    }

    /// What follows from a record, nil if that is settled already.
    mutating func step(after record: PeerState.Record) -> Step? {
        storing.removeValue(forKey: record.number)
    }

    /// A lasting record was not stored: its changes are tried again.
    mutating func storeLater(_ record: PeerState.Record) {
        for change in record.changes { unstored[change.key] = .some(change.value) }
        storeRetry.failed(at: now)
    }

    /// Tries again what the disk did not take.
    mutating func storeAgain() {
        guard storeRetry.isOver(at: now), !unstored.isEmpty else { return }
        store(unstored.sorted { $0.key < $1.key }.map { PeerState.StoredChange(key: $0.key, value: $0.value) })
    }

    var storeDeadline: Instant? { storeRetry.deadline }

    // MARK: - Engine

    /// Asks the engine; its answer, or nil if its driver ended, belongs to this question.
    mutating func ask(_ request: PeerState.EngineRequest, _ question: Question) {
        lastTag += 1
        let tag = PeerState.EngineTag(number: lastTag)
        asked[tag] = question
        put(.engine(tag, request))
    }

    /// Sends the other companion something that it only confirms.
    mutating func send(_ envelope: Envelope, timeout: Duration, _ question: Question) {
        ask(.message(Message(payload: envelope.encoded, wantsReply: false, timeout: timeout)), question)
    }

    /// What was asked under a tag, once.
    mutating func question(_ tag: PeerState.EngineTag) -> Question? { asked.removeValue(forKey: tag) }

    /// Tells the engine what it does not answer.
    mutating func tell(_ request: PeerState.EngineRequest) {
        lastTag += 1
        put(.engine(PeerState.EngineTag(number: lastTag), request))
    }

    /// Confirms a message of the other companion.
    mutating func confirm(_ id: MessageID) {
        ask(.reply(id, []), .acknowledgement)
    }

    /// Declines a message of the other companion; the code stands before the text, for that companion to read.
    mutating func decline(
        _ id: MessageID, _ code: WCError.Code, _ text: String, as refusal: MessageRefusal = .failed
    ) {
        ask(.decline(id, refusal, text: "\(code.rawValue) \(text)"), .acknowledgement)
    }

    // MARK: - What may be sent

    /// Why nothing can be sent now, in the order in which it is found (rules R58, R83, R100, R101, R151, R152).
    func refusal(hasDelegate: Bool) -> WCError.Code? {
        guard hasDelegate else { return .sessionMissingDelegate }
        switch activation {
        case .notActivated: return .sessionNotActivated
        case .inactive: return .sessionInactive
        case .activated: break
        }
        switch role {
        case .phone:
            guard noticed.isPaired else { return .deviceNotPaired }
            return noticed.isCounterpartInstalled ? nil : .watchAppNotInstalled
        case .watch:
            if device.own.isWatchOnly { return .watchOnlyApp }
            return noticed.isCounterpartInstalled ? nil : .companionAppNotInstalled
        }
    }

    /// Why a wish of the app cannot be carried out now; points out what the app may never learn otherwise: what it did too
    /// early, or without a process, or without a delegate.
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

    /// Whether nobody is there who could call, which is pointed out.
    mutating func isProcessMissing(for what: String) -> Bool {
        guard appState == .notRunning else { return false }
        warn("\(what) by an app that is not running: start it with `device.app = .foreground`")
        return true
    }

    /// What is wrong with a payload, nil if nothing is (rules R144, R147, R149).
    mutating func fault(of payload: PeerState.Payload, limit: Int, _ what: String) -> WCError.Code? {
        switch payload {
        case .unsupported(let keyPath, let type):
            warn("\(what): the value at \(keyPath) is a \(type), which no property list holds (7010)")
            return .payloadUnsupportedTypes
        case .bytes(let bytes) where bytes.count > limit:
            warn("\(what): \(bytes.count) bytes are more than \(limit) (7009)")
            return .payloadTooLarge
        case .bytes: return nil
        }
    }

    // MARK: - The devices

    /// What the devices' states mean for the app.
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

    /// Whether the apps are in the states that live messages need: rules R35, R36 and R41.
    private var isAwake: Bool {
        switch role {
        case .phone: device.counterpartNow?.appState == .foreground
        case .watch: presence == .foreground && device.counterpartNow?.isLocked == false
        }
    }

    /// The app as the counterpart and live messages take it: in the background with high priority is in front (rule R37).
    var presence: PeerState.AppState { appState == .background && hasPriority ? .foreground : appState }

    /// What the other app learns if this device's app is not installed.
    var notInstalledCode: WCError.Code { role == .watch ? .watchAppNotInstalled : .companionAppNotInstalled }

    /// A watch's app is woken by background content (rules R87, R105, R109, R134); a phone's is not (R88, R106).
    mutating func launchWatchApp(_ reason: PeerState.LaunchReason) {
        guard role == .watch, !appState.isRunning else { return }
        note(.device("background content launches the app: \(reason.rawValue)"))
        backgroundTime.isOwed = true
        put(.launchApp(reason))
    }
}

/// When to try again what failed: after a pause that doubles with each failure.
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

    /// Nothing has to be waited for, but the pauses stay as long.
    mutating func cancel() { deadline = nil }

    /// Whether nothing has to be waited for, or not any more.
    mutating func isOver(at now: Instant) -> Bool {
        if let due = deadline, due <= now { deadline = nil }
        return deadline == nil
    }
}
