public import SyncCore
import SyncSimulation

/// What each side may have on its way, counted by somebody who reads the frames of a link and nothing else.
///
/// It knows the page of the protocol, not the engine: the window of registers stands in HELLO, the others are numbers of the
/// page. A frame is told twice, when a side sends it and when it comes to the other side undamaged; a frame that is lost is
/// told once.
public struct CreditBook: Sendable {
    /// What one side of a link had on its way at most.
    public struct Most: Hashable, Sendable {
        /// Registers without CREDIT.
        public var registerCount = 0
        /// Items of a track without an acknowledgement, and the bytes of several.
        public var itemCount = 0
        /// The bytes of these.
        public var itemByteCount = 0
        /// Bytes of a file that were asked for and did not come.
        public var chunkByteCount: UInt64 = 0
        /// Messages without an answer.
        public var messageCount = 0

        /// Nothing.
        public init() {}
    }

    /// One side of the link of a watch.
    public struct Side: Hashable, Sendable {
        /// The watch, by whatever number the reader of the frames gives it.
        public var watch: Int
        /// Whether it is the hub's side.
        public var isHub: Bool

        /// Creates the name of a side.
        public init(watch: Int, isHub: Bool) {
            self.watch = watch
            self.isHub = isHub
        }
    }

    private struct Registers {
        var window = 0
        var session: UInt64 = 0
        var last: UInt64 = 0
        var flights: [UInt64] = []
        /// When what is on its way counts as lost.
        var lostAt = Instant(nanoseconds: 0)
    }

    private struct Track: Hashable {
        var side: Side
        var stream: String
    }

    private struct Items {
        var session: UInt64
        var acknowledged: UInt64
        var byteCounts: [UInt64: Int] = [:]
    }

    private struct Messages {
        var session: UInt64 = 0
        /// By number, when its sender waits no more.
        var deadlines: [UInt64: Instant] = [:]
    }

    private struct Pulled {
        var session: UInt64
        var id: String
        var first: UInt64
        var end: UInt64
    }

    private static let lossTime = Duration.seconds(2)
    private static let itemCountMax = 32
    private static let itemByteCountMax = 262_144
    private static let chunkByteCountMax: UInt64 = 262_144
    private static let messageCountMax = 256

    /// By side, what it had on its way at most.
    public private(set) var most: [Side: Most] = [:]
    /// Everything that went beyond what the other side had allowed, in words.
    public private(set) var findings: [String] = []

    private var registers: [Int: Registers] = [:]
    private var items: [Track: Items] = [:]
    /// Acknowledgements that came before any item of their session.
    private var early: [Track: (session: UInt64, number: UInt64)] = [:]
    private var messages: [Side: Messages] = [:]
    private var pulled: [Side: Pulled] = [:]

    /// Starts a book in which nothing is on its way.
    public init() {}

    // MARK: - Frames

    /// A side sends a frame.
    public mutating func sends(_ frame: Frame, at side: Side, now: Instant) {
        switch frame.kind {
        case .welcome where registers[side.watch]?.session != frame.session:
            registers[side.watch] = Registers(
                window: registers[side.watch]?.window ?? 0, session: frame.session)
        case .register, .registers:
            for (number, _) in frame.registerValues { sends(register: number, of: frame, at: side, now: now) }
        case .item: sends(item: frame, at: side)
        case .message: sends(message: frame, at: side, now: now)
        case .pull: sends(pull: frame, at: side)
        case .chunk: sends(chunk: frame, at: side)
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .reply, .messageError, .context,
            .contextAcknowledged, .upload, .itemAcknowledged, .offer, .done, .abort:
            break
        }
    }

    /// A frame comes to a side.
    public mutating func receives(_ frame: Frame, at side: Side, now: Instant) {
        switch frame.kind {
        case .hello:
            // What counts is the window of the greeting that opens the session.
            guard let window = Self.body(of: frame)["window"]?.integer else { return }
            registers[side.watch, default: Registers()].window = Int(window)
        case .credit:
            guard var lane = registers[side.watch], lane.session == frame.session, frame.sequence <= lane.last,
                lane.flights.contains(where: { $0 <= frame.sequence })
            else { return }
            lane.flights.removeAll { $0 <= frame.sequence }
            lane.lostAt = now.advanced(by: Self.lossTime)
            registers[side.watch] = lane
        case .itemAcknowledged: acknowledges(frame, at: side)
        case .reply, .messageError:
            guard messages[side]?.session == frame.session else { return }
            messages[side]?.deadlines[frame.sequence] = nil
        case .pull: receives(pull: frame, at: side)
        case .welcome, .refuse, .ping, .pong, .bye, .pair, .paired, .register, .registers, .message, .context,
            .contextAcknowledged, .upload, .item, .offer, .chunk, .done, .abort:
            break
        }
    }

    private static func body(of frame: Frame) -> JSONValue {
        (try? JSONValue(decoding: frame.body)) ?? .null
    }

    private mutating func note(_ side: Side, _ change: (inout Most) -> Void) {
        change(&most[side, default: Most()])
    }

    // MARK: - Lanes

    private mutating func sends(register number: UInt64, of frame: Frame, at side: Side, now: Instant) {
        var lane = registers[side.watch] ?? Registers()
        defer { registers[side.watch] = lane }
        guard lane.session == frame.session else {
            findings.append("a register goes to watch \(side.watch) in another session than the last")
            return
        }
        if !lane.flights.isEmpty, lane.lostAt <= now { lane.flights = [] }
        if lane.flights.isEmpty { lane.lostAt = now.advanced(by: Self.lossTime) }
        lane.flights.append(number)
        lane.last = number
        let count = lane.flights.count
        note(side) { $0.registerCount = max($0.registerCount, count) }
        if count > lane.window {
            findings.append("\(count) registers are on their way to watch \(side.watch), which takes \(lane.window)")
        }
    }

    private mutating func sends(item frame: Frame, at side: Side) {
        guard let stream = Self.body(of: frame)["stream"]?.string, frame.sequence > 0 else { return }
        let track = Track(side: side, stream: stream)
        var lane = Items(session: frame.session, acknowledged: frame.sequence - 1)
        // In a session, the first that goes is the one behind what the receiver said that it holds.
        if let known = items[track], known.session == frame.session { lane = known }
        defer { items[track] = lane }
        if let first = early.removeValue(forKey: track), first == (frame.session, frame.sequence) {
            // It had arrived already, in the session before: this one goes for nothing.
            lane.acknowledged = frame.sequence
            return
        }
        guard frame.sequence > lane.acknowledged else { return }
        lane.byteCounts[frame.sequence] = frame.blob.count
        let (count, byteCount) = (lane.byteCounts.count, lane.byteCounts.values.reduce(0, +))
        note(side) {
            $0.itemCount = max($0.itemCount, count)
            if count > 1 { $0.itemByteCount = max($0.itemByteCount, byteCount) }
        }
        if count > Self.itemCountMax { findings.append("\(side) has \(count) items on their way") }
        if count > 1, byteCount > Self.itemByteCountMax {
            findings.append("\(side) has \(byteCount) bytes of items on their way")
        }
    }

    private mutating func acknowledges(_ frame: Frame, at side: Side) {
        guard let stream = Self.body(of: frame)["stream"]?.string else { return }
        let track = Track(side: side, stream: stream)
        guard var lane = items[track], lane.session == frame.session else {
            early[track] = (frame.session, frame.sequence)
            return
        }
        guard frame.sequence > lane.acknowledged else { return }
        lane.acknowledged = frame.sequence
        lane.byteCounts = lane.byteCounts.filter { $0.key > frame.sequence }
        items[track] = lane
    }

    private mutating func sends(message frame: Frame, at side: Side, now: Instant) {
        guard let timeout = Self.body(of: frame)["timeout"]?.integer else { return }
        var lane = messages[side] ?? Messages()
        defer { messages[side] = lane }
        if lane.session != frame.session { lane = Messages(session: frame.session) }
        lane.deadlines = lane.deadlines.filter { $0.value > now }
        lane.deadlines[frame.sequence] = now.advanced(by: .milliseconds(timeout))
        let count = lane.deadlines.count
        note(side) { $0.messageCount = max($0.messageCount, count) }
        if count > Self.messageCountMax { findings.append("\(side) has \(count) messages without an answer") }
    }

    /// The bytes that a PULL asks for, from the first to the end, and those that its sender has.
    private static func range(of frame: Frame) -> (id: String, first: UInt64, end: UInt64, arrived: UInt64)? {
        let body = body(of: frame)
        guard let id = body["id"]?.string, let offset = body["offset"]?.hexadecimal,
            let count = body["bytes"]?.hexadecimal, count <= UInt64.max - offset,
            let arrived = body["arrived"]?.hexadecimal
        else { return nil }
        return (id, offset, offset + count, arrived)
    }

    private mutating func sends(pull frame: Frame, at side: Side) {
        guard let range = Self.range(of: frame) else { return }
        let count = range.end - min(range.end, range.arrived)
        note(side) { $0.chunkByteCount = max($0.chunkByteCount, count) }
        if count > Self.chunkByteCountMax { findings.append("\(side) lets \(count) bytes of a file be on their way") }
    }

    private mutating func receives(pull frame: Frame, at side: Side) {
        guard let range = Self.range(of: frame) else { return }
        var all = Pulled(session: frame.session, id: range.id, first: range.first, end: range.end)
        if let known = pulled[side], known.session == frame.session, known.id == range.id {
            (all.first, all.end) = (min(known.first, range.first), max(known.end, range.end))
        }
        pulled[side] = all
    }

    private mutating func sends(chunk frame: Frame, at side: Side) {
        let (start, end) = (frame.sequence, frame.sequence + UInt64(frame.blob.count))
        if let asked = pulled[side], asked.session == frame.session, asked.id == Self.body(of: frame)["id"]?.string,
            asked.first <= start, end <= asked.end
        {
            return
        }
        findings.append("\(side) sends bytes \(start)..<\(end) of a file that nobody asked for")
    }
}
