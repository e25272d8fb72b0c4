import TestSupport
import Testing

@testable import SyncCore

/// File transfers under random faults.
@Suite(.longWork) struct FileStormTests {
    @Test func `every file arrives once and whole, whatever happens on the way`() {
        var seen: [String: Int] = [:]
        for seed in 0..<60 as Range<UInt64> {
            var storm = FileStorm(seed: seed)
            storm.run()
            #expect(storm.violations.isEmpty, "seed \(seed)")
            seen.merge(storm.seen) { $0 + $1 }
        }
        // The runs meet every fault and every end.
        for name in FileStorm.counters { #expect(seen[name, default: 0] >= 5, "\(name)") }
    }
}

/// Two ends that send files to each other while everything goes wrong, then are left in peace.
///
/// It watches from outside: frames, answers, events and disks. One seed is one run.
struct FileStorm {
    static let counters = [
        "lost", "duplicated", "replayed", "reordered", "crashed", "cut", "store failed", "spoilt", "full", "cancelled",
        "resumed", "received", "delivered", "failed",
    ]

    /// A file that an end was asked to send.
    private struct Sent {
        var file: SampleFile
        var from: Int
        var isAccepted = false
        var isSpoilt = false
        var isCancelled = false
        var result: FileResult?
    }

    private var ends: [FileEnd]
    private var generator: SplitMix64
    private var sent: [RandomID: Sent] = [:]
    private var order: [RandomID] = []
    private var told: [Set<RandomID>] = [[], []]
    private var consumed: Set<RandomID> = []
    private var network: [[Frame]] = [[], []]
    private var heard: [[Frame]] = [[], []]
    private var session: UInt64 = 0
    private var sentCount: UInt64 = 0
    private var wasFull = false
    private let rates: [UInt64]
    private(set) var violations: [String] = []
    private(set) var seen: [String: Int] = [:]

    init(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        ends = [FileEnd(seed: generator.next()), FileEnd(seed: generator.next())]
        // Each run has faults of its own, so that none hides behind another.
        rates = (0..<8).map { _ in [0, 0, 1, 4].randomElement(using: &generator) ?? 0 }
        self.generator = generator
    }

    mutating func run() {
        for _ in 0..<400 where violations.isEmpty { step() }
        settle()
    }

    private mutating func count(_ name: String) {
        seen[name, default: 0] += 1
    }

    /// True so many times in a hundred.
    private mutating func chance(_ percent: UInt64) -> Bool {
        generator.next() % 100 < percent
    }

    // MARK: - A step

    private mutating func step() {
        let end = Int(generator.next() % 2)
        switch generator.next() % 100 {
        case 0..<50: work(end, faults: true)
        case 50..<80: deliver(to: end)
        case 80..<84: send(from: end)
        case 84..<88: consume(end)
        case 88: cancel(from: end)
        case 89..<92: wait()
        case 92 where chance(rates[0] * 20): crash(end)
        case 96..<98 where chance(rates[7] * 20): replay(to: end)
        case 94 where chance(rates[2] * 10): spoil(end)
        case 95 where chance(rates[3] * 10):
            count("full")
            wasFull = true
            ends[end].disk.writesUntilFull = 3
        default: if session == 0 || chance(5) { connect() }
        }
        watch()
    }

    private mutating func work(_ end: Int, faults: Bool) {
        if faults, chance(rates[4]), let position = ends[end].tasks.indices.first,
            case .persist(let record) = ends[end].tasks[position]
        {
            count("store failed")
            ends[end].tasks.removeFirst()
            return ends[end].feed(.persistFailed(record, reason: "planted"))
        }
        _ = ends[end].work()
    }

    private mutating func deliver(to end: Int) {
        guard !network[end].isEmpty else { return }
        var position = 0
        if chance(rates[5] * 5) {
            position = Int(generator.next() % UInt64(network[end].count))
            if position > 0 { count("reordered") }
        }
        let frame = network[end].remove(at: position)
        if chance(rates[6] * 3) { return count("lost") }
        if chance(rates[7] * 5) {
            count("duplicated")
            network[end].insert(frame, at: Int(generator.next() % UInt64(network[end].count + 1)))
        }
        if frame.kind != .chunk { heard[end] = heard[end].suffix(20) + [frame] }
        ends[end].feed(.received(frame))
        // A break in the middle of a file is the one that matters.
        if frame.kind == .chunk, chance(rates[1] * 8) { cut() }
    }

    /// A frame comes again, long after its time.
    private mutating func replay(to end: Int) {
        guard let frame = heard[end].randomElement(using: &generator) else { return }
        count("replayed")
        ends[end].feed(.received(frame))
    }

    private mutating func send(from end: Int) {
        sentCount += 1
        let sizes = [0, 1, 5000, 32_768, 40_000, 200_000, 400_000]
        let byteCount = sizes.randomElement(using: &generator) ?? 0
        let file = SampleFile(byteCount: byteCount, number: generator.next(), metadata: [UInt8(sentCount % 250)])
        ends[end].disk.outgoing[file.file] = file.bytes
        ends[end].feed(file.request(sentCount))
        for case .persist(.queued(let queued)) in ends[end].outputs where sent[queued.offer.id] == nil {
            sent[queued.offer.id] = Sent(file: file, from: end)
            order.append(queued.offer.id)
        }
    }

    private mutating func consume(_ end: Int) {
        if let offer = ends[end].exchange.state.received.first { ends[end].feed(.consumed(offer.id)) }
        if chance(30), let result = ends[end].exchange.state.results.first { ends[end].feed(.resultTaken(result.id)) }
    }

    private mutating func cancel(from end: Int) {
        guard let file = ends[end].exchange.state.queue.randomElement(using: &generator) else { return }
        count("cancelled")
        sent[file.offer.id]?.isCancelled = true
        ends[end].feed(.cancel(.init(number: 0), file.offer.id))
    }

    private mutating func wait() {
        let next = ends.compactMap { $0.exchange.nextDeadline }.min()
        let now = max(ends[0].now + 1, next.map { $0.nanoseconds / 1_000_000 } ?? 0)
        for end in 0..<2 {
            ends[end].now = now
            ends[end].feed(.timeReached)
        }
    }

    private mutating func crash(_ end: Int) {
        count("crashed")
        ends[end].crash(keepingLength: chance(50))
        told[end] = []
        // The other end may notice much later.
        session = 0
        if chance(50) { ends[1 - end].feed(.sessionClosed) }
    }

    private mutating func cut() {
        count("cut")
        session = 0
        for end in 0..<2 { ends[end].feed(.sessionClosed) }
        // The file under way is what a crash in the break would hit.
        guard chance(50) else { return }
        while ends[0].work() || ends[1].work() {}
        if chance(50) { crash(Int(generator.next() % 2)) }
    }

    private mutating func connect() {
        session = generator.next()
        for end in 0..<2 { ends[end].feed(.sessionOpened(session)) }
        if chance(50) { network = [[], []] }
    }

    /// The sender's copy changes although nobody should touch it.
    private mutating func spoil(_ end: Int) {
        guard let file = ends[end].exchange.state.queue.randomElement(using: &generator), file.offer.byteCount > 0
        else { return }
        count("spoilt")
        sent[file.offer.id]?.isSpoilt = true
        ends[end].disk.outgoing[file.file]?[0] ^= 0xFE
    }

    // MARK: - Quiescence

    private mutating func settle() {
        for end in 0..<2 { ends[end].disk.writesUntilFull = .max }
        network = [[], []]
        connect()
        for _ in 0..<20_000 where violations.isEmpty {
            var isBusy = false
            for end in 0..<2 {
                if ends[end].tasks.isEmpty, network[end].isEmpty { continue }
                isBusy = true
                _ = ends[end].work()
                if !network[end].isEmpty { ends[end].feed(.received(network[end].removeFirst())) }
                watch()
            }
            if isBusy { continue }
            for end in 0..<2 { consume(end) }
            if ends.allSatisfy({ $0.exchange.state.queue.isEmpty && $0.tasks.isEmpty }) { break }
            if ends.allSatisfy({ $0.tasks.isEmpty }) { wait() }
            watch()
        }
        for id in order { checkEnd(of: id) }
    }

    private mutating func checkEnd(of id: RandomID) {
        guard violations.isEmpty, let file = sent[id], file.isAccepted, !file.isCancelled else { return }
        guard let result = file.result else {
            return violations.append("\(id.hexadecimal) was accepted and has no result")
        }
        if result.failure == nil, !ends[1 - file.from].disk.state.finished.contains(id) {
            violations.append("\(id.hexadecimal) was called delivered and is not there")
        }
    }

    // MARK: - The watch

    private mutating func watch() {
        for end in 0..<2 {
            network[1 - end] += ends[end].frames
            for frame in ends[end].frames where frame.kind == .pull { check(pull: frame) }
            let outputs = ends[end].outputs
            (ends[end].frames, ends[end].outputs) = ([], [])
            for output in outputs {
                switch output {
                case .answer(_, .accepted(let id)): sent[id]?.isAccepted = true
                case .event(.received(let offer)): checkReceived(offer, at: end)
                case .event(.ended(let result)): checkResult(result)
                case .begin(_, let durable) where durable > 0: count("resumed")
                default: break
                }
            }
            if let record = ends[end].disk.state.received.first(where: { ends[end].disk.received[$0.id] == nil }) {
                violations.append("\(record.id.hexadecimal) is listed as received and is not there")
            }
        }
    }

    private mutating func check(pull frame: Frame) {
        guard let pull = try? FilePull(frame) else { return violations.append("a pull that cannot be read") }
        if pull.offset + pull.byteCount > pull.arrived + FileExchange.creditByteCount {
            violations.append("a pull beyond the credit: \(pull)")
        }
    }

    private mutating func checkReceived(_ offer: FileOffer, at end: Int) {
        guard let file = sent[offer.id], file.from == 1 - end, file.file.offer(offer.id) == offer else {
            return violations.append("\(offer.id.hexadecimal) arrived, but not as it was sent")
        }
        if ends[end].disk.received[offer.id] != file.file.bytes {
            violations.append("\(offer.id.hexadecimal) has another content")
        }
        if !told[end].insert(offer.id).inserted {
            violations.append("\(offer.id.hexadecimal) was told twice in one life")
        }
        if ends[end].disk.state.received.allSatisfy({ $0.id != offer.id }) {
            violations.append("\(offer.id.hexadecimal) was told again after it was consumed")
        }
        count("received")
    }

    private mutating func checkResult(_ result: FileResult) {
        guard let file = sent[result.id] else { return violations.append("a result of nothing") }
        if let earlier = file.result, earlier != result { violations.append("two results of one transfer") }
        sent[result.id]?.result = result
        switch result.failure?.cause {
        case nil:
            count("delivered")
            if !ends[1 - file.from].disk.state.finished.contains(result.id) {
                violations.append("\(result.id.hexadecimal) was called delivered before it was durable")
            }
        case .damaged where file.isSpoilt, .full where wasFull: count("failed")
        case let cause?: violations.append("\(result.id.hexadecimal) failed without a reason: \(cause)")
        }
    }
}
