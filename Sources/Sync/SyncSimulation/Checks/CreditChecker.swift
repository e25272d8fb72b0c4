import SyncCore

/// What is on its way between the hub and each watch, as an observer of the line can count it.
///
/// A window is never exceeded. What is on its way or has arrived is not sent again before its time, and what has not
/// arrived is sent again at its time.
struct CreditChecker {
    /// The registers of one session.
    private struct Registers {
        var flights: [(number: UInt64, order: UInt64)] = []
        var lastNumber: UInt64 = 0
        /// The orders of the values that the watch has confirmed.
        var confirmed: Set<UInt64> = []
        /// When what is on its way counts as lost.
        var resendAt: Instant?
    }

    /// The snapshots of one session.
    private struct Snapshots {
        var revision: UInt64
        var sent: Instant
        var isAcknowledged = false
    }

    /// The items of one numbering in one session.
    private struct Items {
        var session: UInt64
        var acknowledged: UInt64
        var last: UInt64
        /// The bytes of those that are on their way, by their numbers.
        var byteCounts: [UInt64: Int] = [:]
    }

    /// The time after which what is not confirmed is sent again, for registers and snapshots as in PROTOCOL.
    static let resendAfter = Duration.seconds(2)
    /// The time by which a timer may be late, with everything that happens between two checks.
    static let tolerance = Duration.milliseconds(50)
    /// The most items of a track on their way, and their bytes; a single one may always be sent.
    static let itemCountMax: UInt64 = 32
    static let itemByteCountMax = 262_144

    /// By session.
    private var registers: [UInt64: Registers] = [:]
    private var snapshots: [UInt64: Snapshots] = [:]
    /// By side, each numbering.
    private var items: [[String: Items]]
    /// By side and numbering, an acknowledgement that came before any item of its session, which it may have opened.
    private var early: [[String: (session: UInt64, number: UInt64)]]
    /// By watch, the session that the hub opened last.
    private var sessions: [UInt64?]
    /// The watches that get a snapshot which they may already hold, because it says why their uploads wait.
    private var waitingUploads: Set<Int> = []

    init(watchCount: Int) {
        items = Array(repeating: [:], count: 2 * watchCount)
        early = Array(repeating: [:], count: 2 * watchCount)
        sessions = Array(repeating: nil, count: watchCount)
    }

    // MARK: - What the hub sends

    /// The hub sends a frame to a watch that accepts this many registers before it must give credit.
    mutating func hubSends(_ frame: Frame, to watch: Int, window: Int, now: Instant) -> Checks.Finding? {
        switch frame.kind {
        case .welcome:
            guard sessions[watch] != frame.session else { return nil }
            if let before = sessions[watch] {
                registers[before] = nil
                snapshots[before] = nil
            }
            sessions[watch] = frame.session
            return nil
        case .register, .registers:
            let findings = frame.registerValues.map { number, value in
                sendsRegister(number, value, in: frame.session, to: watch, window: window, now: now)
            }
            return findings.compactMap(\.self).first
        case .context: return sendsSnapshot(frame, to: watch, now: now)
        case .hello, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .message, .reply, .messageError,
            .contextAcknowledged, .upload, .item, .itemAcknowledged, .offer, .pull, .chunk, .done, .abort:
            return nil
        }
    }

    private mutating func sendsRegister(
        _ number: UInt64, _ value: [UInt8], in session: UInt64, to watch: Int, window: Int, now: Instant
    ) -> Checks.Finding? {
        var lane = registers[session] ?? Registers()
        defer { registers[session] = lane }
        if let due = lane.resendAt, due <= now {
            lane.flights = []
            lane.resendAt = nil
        }
        let order = Application.order(of: value)
        let isKnown = lane.confirmed.contains(order) || lane.flights.contains { $0.order == order }
        lane.flights.append((number, order))
        lane.resendAt = lane.resendAt ?? now.advanced(by: Self.resendAfter)
        defer { lane.lastNumber = number }
        guard number == lane.lastNumber + 1 else {
            return Checks.Finding(
                .inOrder, "register \(number) goes to watch \(watch) after \(lane.lastNumber)")
        }
        guard lane.flights.count <= window else {
            return Checks.Finding(
                .boundedQueues,
                "\(lane.flights.count) registers are on their way to watch \(watch), which takes \(window)")
        }
        guard isKnown else { return nil }
        return Checks.Finding(.thrift, "a register goes to watch \(watch) again, and is under way or has arrived")
    }

    private mutating func sendsSnapshot(_ frame: Frame, to watch: Int, now: Instant) -> Checks.Finding? {
        guard waitingUploads.remove(watch) == nil else { return nil }
        let before = snapshots[frame.session]
        snapshots[frame.session] = Snapshots(revision: frame.sequence, sent: now)
        guard let before, !before.isAcknowledged, before.sent.advanced(by: Self.resendAfter) > now else { return nil }
        return Checks.Finding(
            .boundedQueues, "a snapshot goes to watch \(watch) before the one of revision \(before.revision) is settled"
        )
    }

    /// The hub found that the uploads of a watch have to wait, and may report that with a snapshot.
    mutating func uploadsWait(of watch: Int) { waitingUploads.insert(watch) }

    // MARK: - What the hub receives

    /// A frame of a watch arrives at the hub, undamaged.
    mutating func hubReceives(_ frame: Frame, now: Instant) {
        if frame.kind == .contextAcknowledged, snapshots[frame.session]?.revision == frame.sequence {
            snapshots[frame.session]?.isAcknowledged = true
        }
        guard frame.kind == .credit, var lane = registers[frame.session], frame.sequence <= lane.lastNumber,
            let missing = (try? JSONValue(decoding: frame.body))?["missing"]?.array
        else { return }
        let settled = lane.flights.filter { $0.number <= frame.sequence }
        guard !settled.isEmpty else { return }
        let lost = Set(missing.compactMap(\.hexadecimal))
        lane.confirmed.formUnion(settled.filter { !lost.contains($0.number) }.map(\.order))
        lane.flights.removeAll { $0.number <= frame.sequence }
        lane.resendAt = lane.flights.isEmpty ? nil : now.advanced(by: Self.resendAfter)
        registers[frame.session] = lane
    }

    /// Whether registers that a linked watch has not confirmed were not sent again in time; the hub has been awake since.
    func overdue(for watch: Int, awake: Instant, now: Instant) -> Checks.Finding? {
        guard let session = sessions[watch], let lane = registers[session], let due = lane.resendAt,
            max(due, awake).advanced(by: Self.tolerance) < now
        else { return nil }
        return Checks.Finding(
            .timeliness, "\(lane.flights.count) registers are not confirmed by watch \(watch), and do not go again")
    }

    // MARK: - Items

    /// A side sends an item.
    mutating func sends(item frame: Frame, at side: Side) -> Checks.Finding? {
        guard let stream = (try? JSONValue(decoding: frame.body))?["stream"]?.string, frame.sequence > 0 else {
            return nil
        }
        var lane =
            items[side.index][stream].flatMap { $0.session == frame.session ? $0 : nil }
            // In a session, the first item sent is the one after those that the receiver said it holds.
            ?? Items(session: frame.session, acknowledged: frame.sequence - 1, last: frame.sequence - 1)
        defer { items[side.index][stream] = lane }
        let last = lane.last
        lane.byteCounts[frame.sequence] = frame.blob.count
        lane.last = max(last, frame.sequence)
        if let first = early[side.index][stream], first == (frame.session, frame.sequence) {
            // The window opens with the session, and only then is the acknowledgement read: this one has no effect
            // until it arrives once more.
            lane.acknowledged = max(lane.acknowledged, frame.sequence)
            lane.byteCounts = [:]
            return nil
        }
        guard frame.sequence > lane.acknowledged else {
            return Checks.Finding(.thrift, "\(side.name) sends item \(frame.sequence) again, which has arrived")
        }
        guard frame.sequence <= last + 1 else {
            return Checks.Finding(.inOrder, "\(side.name) sends item \(frame.sequence) after item \(last)")
        }
        let count = frame.sequence - lane.acknowledged
        guard count <= Self.itemCountMax else {
            return Checks.Finding(.boundedQueues, "\(side.name) has \(count) items on their way")
        }
        let byteCount = (lane.acknowledged + 1...frame.sequence).reduce(0) { $0 + (lane.byteCounts[$1] ?? 0) }
        guard byteCount > Self.itemByteCountMax, count > 1 else { return nil }
        return Checks.Finding(.boundedQueues, "\(side.name) has \(byteCount) bytes of items on their way")
    }

    /// An acknowledgement of items arrives at a side, undamaged.
    mutating func acknowledges(_ frame: Frame, at side: Side) {
        guard let stream = (try? JSONValue(decoding: frame.body))?["stream"]?.string else { return }
        guard let lane = items[side.index][stream], lane.session == frame.session else {
            early[side.index][stream] = (frame.session, frame.sequence)
            return
        }
        early[side.index][stream] = nil
        guard frame.sequence > lane.acknowledged, frame.sequence <= lane.last else { return }
        for number in lane.acknowledged + 1...frame.sequence { items[side.index][stream]?.byteCounts[number] = nil }
        items[side.index][stream]?.acknowledged = frame.sequence
    }
}
