@testable import SyncCore

/// Two exchanges on a bad link, with crashes and restores, and an observer that knows what was promised.
///
/// The left side greets, as a watch does: its greeting carries its positions, the answer those of the right side, and
/// the right side believes in the session only when a frame of it has arrived.
struct ExchangeWorld {
    /// What may go wrong.
    struct Faults {
        var restores = false
    }

    /// What goes over the link.
    enum Packet {
        case greeting(nonce: UInt64, ItemPositions)
        case answer(nonce: UInt64, session: UInt64, ItemPositions)
        case frame(Frame)
    }

    /// One side with its disk and its application.
    struct End {
        var script: ExchangeScript
        /// The ids whose effect the application has had; it is durable with the item's consumption.
        var effects: [RandomID] = []
        var backup: (disk: Exchange.State, effects: [RandomID])?
        var waiting: [MessageID] = []
        /// The messages that this side sent and that have no outcome yet, with their deadlines.
        var pending: [UInt64: Instant] = [:]
        var session: UInt64?
        /// The session that the right side offered, and what the left side told in its greeting.
        var offer: (session: UInt64, ItemPositions)?
    }

    /// What was promised to the application of a side about an item.
    struct Promise {
        var id: RandomID
        var track: ItemTrack
        /// Whether a restore took the promise back.
        var isVoid = false
        /// Whether the receiver was restored to a time before it had the item.
        var mayBeLost = false
        /// Whether a loss was reported since.
        var isReported = false
        var isCancelled = false
        /// Whether the sender was restored to a time before it sent the item, and so cannot know where it is.
        var mayHaveArrived = false
    }

    var finding: String?
    var ends: [End]
    var promises: [[Promise]] = [[], []]
    private var wire: [(to: Int, packet: Packet)] = []
    private var generator: SplitMix64
    private let faults: Faults
    var milliseconds: Int64 = 0
    private var nonce: UInt64 = 0
    private var lastSession: UInt64 = 0
    private var lastRequest: UInt64 = 0
    private var lastPayload: UInt64 = 0
    var heard: Set<[UInt8]> = []
    private var isCalm = false

    init(seed: UInt64, faults: Faults) {
        self.faults = faults
        generator = SplitMix64(seed: seed)
        var configuration = Exchange.Configuration()
        configuration.outstandingCountMax = 20
        configuration.inboxCountMax = 3
        configuration.urgentPerDay = 5
        configuration.messageTimeout = .seconds(3)
        ends = [UInt64(1), 2].map { end in
            let script = ExchangeScript(configuration: configuration, seed: seed &* 1000 &+ end &* 500)
            return End(script: script)
        }
    }

    /// Runs the faults, then a calm time in which everything must arrive.
    mutating func run(steps: Int) {
        for _ in 0..<steps where finding == nil { step() }
        isCalm = true
        for round in 0..<60 where finding == nil {
            if round.isMultiple(of: 20) { greet() }
            for _ in 0..<60 where finding == nil && !isQuiet { calmStep() }
            pass(milliseconds: 2100)
        }
        guard finding == nil else { return }
        checkEnd()
    }

    // MARK: - Steps

    private mutating func step() {
        let end = draw(2)
        switch draw(100) {
        case 0..<14: transfer(from: end)
        case 14..<17: cancel(at: end)
        case 17..<22: sendMessage(from: end)
        case 22..<42: store(at: end)
        case 42..<44: failStore(at: end)
        case 44..<74: deliver()
        case 74..<78: greet()
        case 78..<80: close(end)
        case 80..<83: crash(end)
        case 83..<88: pass(milliseconds: Int64(draw(1500)))
        case 88..<94: reply(at: end)
        case 94..<96: if faults.restores { backUp(end) }
        case 96..<97: if faults.restores { restore(end) }
        default: consume(at: end)
        }
    }

    private mutating func calmStep() {
        for end in 0..<2 {
            store(at: end)
            consume(at: end)
            reply(at: end)
        }
        deliver()
    }

    private var isQuiet: Bool {
        wire.isEmpty && ends.allSatisfy { $0.script.record == nil && $0.script.engine.state.inbox.items.isEmpty }
    }

    private mutating func transfer(from end: Int) {
        let payload = nextPayload()
        feed(.transfer(nextRequest(), .init(payload: payload, isUrgent: draw(4) == 0)), to: end)
    }

    private mutating func cancel(at end: Int) {
        let outstanding = ends[end].script.engine.outstanding
        guard !outstanding.isEmpty else { return }
        feed(.cancel(nextRequest(), outstanding[draw(outstanding.count)].item.id), to: end)
    }

    private mutating func sendMessage(from end: Int) {
        let request = nextRequest()
        ends[end].pending[request.number] = now.advanced(by: .seconds(3))
        feed(.message(request, Message(payload: nextPayload(), wantsReply: draw(2) == 0)), to: end)
    }

    private mutating func reply(at end: Int) {
        guard !ends[end].waiting.isEmpty else { return }
        feed(.reply(nextRequest(), ends[end].waiting.removeFirst(), []), to: end)
    }

    private mutating func consume(at end: Int) {
        guard let item = ends[end].script.engine.state.inbox.items.first, ends[end].effects.contains(item.id) else {
            return
        }
        feed(.consumed(item.id), to: end)
    }

    private mutating func store(at end: Int) {
        ends[end].script.storeOnce(at: milliseconds)
        take(from: end)
    }

    private mutating func failStore(at end: Int) {
        ends[end].script.failStore(at: milliseconds)
        take(from: end)
    }

    private mutating func pass(milliseconds passed: Int64) {
        // The shell comes back at each deadline, never late.
        let target = milliseconds + passed
        for _ in 0..<100 {
            let deadlines = ends.compactMap(\.script.engine.nextDeadline).map { $0.nanoseconds / 1_000_000 }
            guard let next = deadlines.min(), next <= target, next > milliseconds else { break }
            milliseconds = next
            for end in 0..<2 { feed(.timeReached, to: end) }
        }
        milliseconds = target
        for end in 0..<2 { feed(.timeReached, to: end) }
    }

    // MARK: - The link

    private mutating func greet() {
        close(0)
        nonce += 1
        put(.greeting(nonce: nonce, ends[0].script.engine.positions), to: 1)
    }

    private mutating func close(_ end: Int) {
        ends[end].session = nil
        ends[end].offer = nil
        feed(.sessionClosed, to: end)
    }

    mutating func put(_ packet: Packet, to end: Int) {
        if isCalm { return wire.append((end, packet)) }
        let copies = draw(10)
        guard copies > 0 else { return }
        wire.append((end, packet))
        if copies == 1 { wire.append((end, packet)) }
    }

    private mutating func deliver() {
        guard !wire.isEmpty else { return }
        // Mostly in order; a link that was replaced delivers later what it had.
        let index = !isCalm && draw(4) == 0 ? draw(wire.count) : 0
        let (end, packet) = wire.remove(at: index)
        switch packet {
        case .greeting(let nonce, let positions):
            close(1)
            lastSession += 1
            ends[1].offer = (lastSession, positions)
            put(.answer(nonce: nonce, session: lastSession, ends[1].script.engine.positions), to: 0)
        case .answer(let nonce, let session, let positions):
            guard nonce == self.nonce, ends[0].session == nil else { return }
            ends[0].session = session
            feed(.sessionOpened(session, peer: positions), to: 0)
            put(.frame(Frame(kind: .ping, session: session)), to: 1)
        case .frame(let frame):
            if end == 1, let offer = ends[1].offer, offer.session == frame.session {
                ends[1].session = offer.session
                ends[1].offer = nil
                feed(.sessionOpened(offer.session, peer: offer.1), to: 1)
            }
            guard frame.kind != .ping else { return }
            feed(.received(frame), to: end)
        }
    }

    // MARK: - Crashes and restores

    private mutating func crash(_ end: Int) {
        let isStored = draw(2) == 0
        if isStored, let record = ends[end].script.record {
            // The application never learns that the item was held back.
            for case .cancelled(_, let id) in record.changes { change(id, of: end) { $0.isVoid = true } }
        }
        ends[end].script.crash(keeping: isStored)
        restarted(end)
    }

    private mutating func restarted(_ end: Int) {
        ends[end].pending = [:]
        ends[end].waiting = []
        ends[end].session = nil
        ends[end].offer = nil
        if end == 0 { nonce += 1 }
        take(from: end, isStart: true)
    }

    private mutating func backUp(_ end: Int) {
        ends[end].backup = (ends[end].script.disk, ends[end].effects)
    }

    private mutating func restore(_ end: Int) {
        guard let backup = ends[end].backup else { return }
        let kept = Set(ItemTrack.allCases.flatMap { backup.disk.outboxes[$0].items.map(\.id) })
        for index in promises[end].indices {
            // What was accepted after the backup is gone here, wherever it is elsewhere; what was cancelled is back.
            let id = promises[end][index].id
            promises[end][index].isVoid = promises[end][index].isVoid || !kept.contains(id)
            promises[end][index].mayHaveArrived = true
            if promises[end][index].isCancelled {
                promises[end][index].isVoid = true
                promises[end][index].isCancelled = false
            }
        }
        let lost = ends[end].effects.filter { !backup.effects.contains($0) }
        for id in lost {
            change(id, of: 1 - end) { promise in
                promise.mayBeLost = true
                promise.isReported = false
            }
        }
        ends[end].effects = backup.effects
        ends[end].script.restart(from: backup.disk)
        restarted(end)
    }

    // MARK: - Draws

    var now: Instant { instant(milliseconds) }

    private mutating func draw(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

    private mutating func nextRequest() -> Exchange.RequestID {
        lastRequest += 1
        return request(lastRequest)
    }

    private mutating func nextPayload() -> [UInt8] {
        lastPayload += 1
        return [UInt8(truncatingIfNeeded: lastPayload >> 8), UInt8(truncatingIfNeeded: lastPayload)]
    }
}
