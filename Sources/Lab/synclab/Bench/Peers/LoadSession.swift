import Platform
import SyncCore
import SyncTransport

/// The session of one of many watches: the engine handles all frames but registers.
struct LoadSession {
    /// The values that a watch accepts before the hub must wait for credit: the engine's own default.
    private static let window: UInt32 = 64

    private var engine: WatchEngine
    private var id: UInt64 = 0
    private var uncredited = 0
    private var highest: UInt64 = 0
    private var messageCount: UInt64 = 0
    /// The messages that were replied to.
    private(set) var replyCount = 0

    init(seed: UInt64) {
        engine = WatchEngine(
            configuration: .init(name: "bench", app: nil, schemaVersions: 1...1, window: Self.window),
            state: WatchEngine.State(newIncarnation: RandomID(high: 0, low: seed)), seed: seed)
    }

    /// Passes an input to the engine, and confirms the outputs to be stored at once.
    ///
    /// - Returns: Whether the watch has a newer snapshot now.
    mutating func handle(_ input: WatchEngine.Input, send: (Frame) throws -> Void) throws -> Bool {
        var inputs = [input]
        var isCurrent = false
        while let next = inputs.popLast() {
            engine.handle(next, at: .now)
            while let output = engine.nextOutput() {
                switch output {
                case .send(let frame):
                    if frame.session != 0 { id = frame.session }
                    try send(frame)
                case .persist(let record): inputs.append(.persisted(record))
                case .event(.snapshotChanged): isCurrent = true
                case .transfer(.exchange(.answer(_, .replied))): replyCount += 1
                // After a stall of the machine: a new session on the connection, which still exists.
                case .reconnect: inputs.append(.connected)
                case .event, .transfer, .answer: break
                }
            }
        }
        return isCurrent
    }

    /// The input by which the application sends a live message.
    mutating func message() -> WatchEngine.Input {
        messageCount += 1
        return .transfer(
            .exchange(
                .message(RequestID(number: messageCount), Message(payload: LoadMark.message, wantsReply: true))))
    }

    /// The credit to give after some registers came, up to a number; nil if it can wait.
    mutating func credit(for count: Int, to number: UInt64, atOnce: Bool) -> [[UInt8]]? {
        uncredited += count
        highest = number
        guard atOnce || uncredited >= Int(Self.window / 4) else { return nil }
        return restOfCredit()
    }

    /// The credit for the last registers; nil if it was given for all.
    mutating func restOfCredit() -> [[UInt8]]? {
        guard uncredited > 0 else { return nil }
        uncredited = 0
        return FrameCodec.parts(
            of: Frame(kind: .credit, session: id, sequence: highest, body: Array(#"{"missing":[]}"#.utf8)))
    }

    /// A question that the hub answers at once: a ping.
    func question(_ number: UInt64) -> [[UInt8]] {
        // Greater than the numbers of the engine's own pings, so that the engine does not mistake the answers.
        FrameCodec.parts(of: Frame(kind: .ping, session: id, sequence: number + 1 << 32))
    }
}
