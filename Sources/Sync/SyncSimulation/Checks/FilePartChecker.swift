import SyncCore

/// The bytes of files on their way, as an observer of the line can count them.
///
/// A sender sends what was requested, and nothing else. A receiver keeps what has arrived: while its process runs it
/// does not request that again, even in another session, and after the end of the session it writes all of it to the
/// disk.
struct FilePartChecker {
    /// What has arrived of a file.
    private struct Part {
        var id: String
        /// The session in which it was requested, nil once that is over.
        var session: UInt64?
        /// The connection on which a hub requested it; nil at a watch, which has one connection only.
        var connection: Int?
        /// The bytes from the start that have arrived, and those that were requested.
        var arrived: UInt64
        var asked: UInt64
        /// When the session ended.
        var ended: Instant?
    }

    /// A file in a session.
    private struct Pull: Hashable {
        var session: UInt64
        var id: String
    }

    /// The time that a disk has to write what has arrived, after the end of the session.
    static let writeTimeMax = Duration.milliseconds(500)

    /// By side, what it receives, and what was requested of it.
    ///
    /// A late PULL of an earlier session, or of a file that is done, does not reduce what was requested.
    private var parts: [Part?]
    private var pulled: [[Pull: Range<UInt64>]]

    init(watchCount: Int) {
        parts = Array(repeating: nil, count: 2 * watchCount)
        pulled = Array(repeating: [:], count: 2 * watchCount)
    }

    private static func id(of frame: Frame) -> String? { (try? JSONValue(decoding: frame.body))?["id"]?.string }

    /// The bytes that a PULL requests.
    private static func range(of frame: Frame) -> Range<UInt64>? {
        guard let body = try? JSONValue(decoding: frame.body), let offset = body["offset"]?.hexadecimal,
            let count = body["bytes"]?.hexadecimal, count <= UInt64.max - offset
        else { return nil }
        return offset..<offset + count
    }

    /// A side sends a frame; a hub, on a connection.
    mutating func sends(_ frame: Frame, at side: Side, on connection: Int? = nil) -> Checks.Finding? {
        switch frame.kind {
        case .pull:
            guard let id = Self.id(of: frame), let range = Self.range(of: frame),
                let stated = (try? JSONValue(decoding: frame.body))?["arrived"]?.hexadecimal
            else { return nil }
            let before = parts[side.index].flatMap { $0.id == id ? $0 : nil }
            let arrived = max(before?.arrived ?? stated, stated)
            parts[side.index] = Part(
                id: id, session: frame.session, connection: connection, arrived: arrived, asked: range.upperBound)
            guard range.lowerBound < arrived else { return nil }
            return Checks.Finding(
                .thrift, "\(side.name) asks for a file from byte \(range.lowerBound), and has \(arrived) of it")
        case .chunk:
            guard let id = Self.id(of: frame) else { return nil }
            let (start, end) = (frame.sequence, frame.sequence + UInt64(frame.blob.count))
            if let asked = pulled[side.index][Pull(session: frame.session, id: id)],
                asked.lowerBound <= start, end <= asked.upperBound
            {
                return nil
            }
            return Checks.Finding(.boundedQueues, "\(side.name) sends bytes of a file that nobody asked for")
        case .abort:
            if let part = parts[side.index], part.id == Self.id(of: frame) { parts[side.index] = nil }
            return nil
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .registers, .message,
            .reply, .messageError, .context, .contextAcknowledged, .upload, .item, .itemAcknowledged, .offer, .done:
            return nil
        }
    }

    /// A frame arrives at a side, undamaged.
    ///
    /// A hub that has not noticed yet that a connection broke drops what is replayed of its session on the next one.
    mutating func receives(_ frame: Frame, at side: Side, on connection: Int? = nil) {
        guard frame.kind == .pull || frame.kind == .chunk, let id = Self.id(of: frame) else { return }
        guard frame.kind == .chunk else {
            guard let range = Self.range(of: frame) else { return }
            let pull = Pull(session: frame.session, id: id)
            let before = pulled[side.index][pull] ?? range
            let (first, end) = (min(before.lowerBound, range.lowerBound), max(before.upperBound, range.upperBound))
            pulled[side.index][pull] = first..<end
            return
        }
        guard let part = parts[side.index], part.id == id, part.session == frame.session,
            part.connection == nil || part.connection == connection, frame.sequence == part.arrived,
            frame.sequence + UInt64(frame.blob.count) <= part.asked
        else { return }
        parts[side.index]?.arrived += UInt64(frame.blob.count)
    }

    /// A side begins to receive a file again, or its process ends.
    mutating func forget(_ side: Side) { parts[side.index] = nil }

    /// The session of a side is over.
    mutating func sessionEnded(_ side: Side, now: Instant) {
        guard parts[side.index]?.session != nil else { return }
        parts[side.index]?.session = nil
        parts[side.index]?.ended = now
    }

    /// A session of a side has begun.
    mutating func sessionBegan(_ side: Side) { parts[side.index]?.ended = nil }

    /// Whether bytes that arrived before the session ended are still not on the disk; the side has been awake since.
    func overdue(_ side: Side, files: SimulatedFiles, awake: Instant, now: Instant) -> Checks.Finding? {
        guard let part = parts[side.index], let ended = part.ended,
            max(ended, awake).advanced(by: Self.writeTimeMax) < now, let id = RandomID(hexadecimal: part.id),
            let synced = files.synced(of: id), synced < part.arrived
        else { return nil }
        return Checks.Finding(
            .durabilityOrder, "\(side.name) has \(part.arrived) bytes of a file, and \(synced) of them on its disk")
    }
}
