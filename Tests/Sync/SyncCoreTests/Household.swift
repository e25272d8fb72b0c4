@testable import SyncCore

/// A hub and its watches: complete engines on an in-memory link, with stores that store everything immediately.
///
/// Time passes only in ``run(milliseconds:)``.
struct Household {
    private struct Wrist {
        var engine: WatchEngine
        var connection: ConnectionID?
        var inbox: [Frame] = []
    }

    private(set) var hub: HubEngine
    private var wrists: [Wrist] = []
    private var inbox: [(frame: Frame, connection: ConnectionID, watch: Int)] = []
    private(set) var answers: [RequestID: HubEngine.Answer] = [:]
    private(set) var watchAnswers: [RequestID: WatchEngine.Answer] = [:]
    private(set) var confirmed: [ConfirmedEdit] = []
    private(set) var hubEvents: [HubEngine.Event] = []
    private var now: Int64 = 0
    private var lastNumber: UInt64 = 100

    init(watchCount: Int) {
        hub = Self.makeHub(LedgerState(newEpoch: Epoch(number: 1)), seed: 1, at: 0)
        for watch in 0..<watchCount {
            let state = WatchEngine.State(newIncarnation: id(900 + UInt64(watch)))
            wrists.append(Wrist(engine: Self.makeWatch(watch, state, seed: 100 + UInt64(watch))))
        }
        drainHub()
        pairAll()
    }

    private static func makeHub(_ state: LedgerState, seed: UInt64, at milliseconds: Int64) -> HubEngine {
        HubEngine(
            configuration: .init(app: testApp, schema: houseSchema), state: state, seed: seed, at: moment(milliseconds))
    }

    private static func makeWatch(_ watch: Int, _ state: WatchEngine.State, seed: UInt64) -> WatchEngine {
        WatchEngine(
            configuration: .init(name: name(watch), app: testApp, schemaVersions: 1...2, node: key(of: watch).node),
            state: state,
            seed: seed)
    }

    static func key(of watch: Int) -> PeerKey { SyncCoreTests.key(UInt8(watch + 1)) }
    static func name(_ watch: Int) -> String { "wrist \(watch)" }

    private mutating func pairAll() {
        for watch in wrists.indices {
            let invitation = SyncCoreTests.key(UInt8(100 + watch))
            feedHub(.invite(nextRequest(), key: invitation, name: Self.name(watch), validMilliseconds: 60_000))
            let request = PairRequest(nonce: 5, key: Self.key(of: watch), name: Self.name(watch))
            feedHub(
                .received(
                    parts: FrameCodec.parts(of: request.frame), connection: connection(200), peer: invitation))
        }
    }

    // MARK: - Actions of users

    @discardableResult
    mutating func hubWrites(_ changes: [CellChange]) -> HubEngine.Answer? {
        let request = nextRequest()
        feedHub(.transact(request, changes, expected: nil))
        return answers[request]
    }

    @discardableResult
    mutating func edit(_ watch: Int, _ key: CellKey, _ value: String?) -> WatchEngine.Answer? {
        let request = nextRequest()
        feedWatch(watch, .edit(request, [CellChange(key: key, value: value)]))
        return watchAnswers[request]
    }

    @discardableResult
    mutating func hubSettles(_ conflict: RandomID, restoring: Bool) -> HubEngine.Answer? {
        let request = nextRequest()
        feedHub(.settle(request, conflict: conflict, restoring: restoring))
        return answers[request]
    }

    @discardableResult
    mutating func settle(_ watch: Int, _ conflict: RandomID, restoring: Bool) -> WatchEngine.Answer? {
        let request = nextRequest()
        feedWatch(watch, .settle(request, conflict: conflict, restoring: restoring))
        return watchAnswers[request]
    }

    func view(_ watch: Int) -> SortedMap<CellKey, VisibleCell> { wrists[watch].engine.view }
    func obstacle(_ watch: Int) -> Conflict.Rule? { wrists[watch].engine.uploadObstacle }
    func replica(_ watch: Int) -> ReplicaState { wrists[watch].engine.replica }

    /// Whether all watches show the hub's snapshot and no upload is pending.
    var isAtRest: Bool {
        wrists.allSatisfy { $0.engine.pendingEdits.isEmpty && $0.engine.snapshot == hub.snapshot }
    }

    // MARK: - Links and processes

    mutating func connect(_ watch: Int) {
        lastNumber += 1
        wrists[watch].connection = ConnectionID(bytes: [1, UInt8(truncatingIfNeeded: lastNumber), UInt8(watch)])
        feedWatch(watch, .connected)
    }

    mutating func disconnect(_ watch: Int) {
        guard let connection = wrists[watch].connection else { return }
        wrists[watch].connection = nil
        wrists[watch].inbox = []
        inbox.removeAll { $0.watch == watch }
        feedWatch(watch, .disconnected)
        feedHub(.unroutable(connection))
    }

    /// Restarts the hub's process with a state, such as that of a backup.
    mutating func restartHub(_ state: LedgerState) {
        for watch in wrists.indices { disconnect(watch) }
        lastNumber += 1
        hub = Self.makeHub(state, seed: lastNumber, at: now)
        drainHub()
    }

    mutating func restartWatch(_ watch: Int, _ state: ReplicaState) {
        disconnect(watch)
        lastNumber += 1
        wrists[watch].engine = Self.makeWatch(watch, WatchEngine.State(replica: state), seed: lastNumber)
    }

    // MARK: - Time

    /// Lets time pass, with all timers and deliveries.
    mutating func run(milliseconds: Int64 = 12_000) {
        let end = now + milliseconds
        while true {
            deliver()
            guard now < end else { return }
            now += 50
            feedHub(.timeReached)
            for watch in wrists.indices { feedWatch(watch, .timeReached) }
        }
    }

    private mutating func deliver() {
        while !inbox.isEmpty || wrists.contains(where: { !$0.inbox.isEmpty }) {
            if !inbox.isEmpty {
                let (frame, connection, watch) = inbox.removeFirst()
                feedHub(
                    .received(parts: FrameCodec.parts(of: frame), connection: connection, peer: Self.key(of: watch)))
            }
            for watch in wrists.indices where !wrists[watch].inbox.isEmpty {
                let frame = wrists[watch].inbox.removeFirst()
                feedWatch(watch, .received(parts: FrameCodec.parts(of: frame)))
            }
        }
    }

    private mutating func nextRequest() -> RequestID {
        lastNumber += 1
        return RequestID(number: lastNumber)
    }

    private mutating func feedHub(_ input: HubEngine.Input) {
        hub.handle(input, at: moment(now))
        drainHub()
    }

    private mutating func drainHub() {
        var stored: [[Transaction]] = []
        while let output = hub.nextOutput() {
            switch output {
            case .persist(let group): stored.append(group)
            case .answer(let request, let answer): answers[request] = answer
            case .event(let event): hubEvents.append(event)
            case .send(let frame, let connection):
                guard let watch = wrists.firstIndex(where: { $0.connection == connection }) else { continue }
                wrists[watch].inbox.append(frame)
            default: break
            }
        }
        for group in stored { feedHub(.persisted(group)) }
    }

    private mutating func feedWatch(_ watch: Int, _ input: WatchEngine.Input) {
        wrists[watch].engine.handle(input, at: moment(now))
        var stored: [WatchEngine.Record] = []
        var wantsReconnect = false
        while let output = wrists[watch].engine.nextOutput() {
            switch output {
            case .persist(let record): stored.append(record)
            case .answer(let request, let answer): watchAnswers[request] = answer
            case .event(.editsConfirmed(let edits)): confirmed += edits
            case .reconnect: wantsReconnect = true
            case .send(let frame):
                if let connection = wrists[watch].connection { inbox.append((frame, connection, watch)) }
            default: break
            }
        }
        for record in stored { feedWatch(watch, .persisted(record)) }
        guard wantsReconnect, wrists[watch].connection != nil else { return }
        disconnect(watch)
        connect(watch)
    }
}
