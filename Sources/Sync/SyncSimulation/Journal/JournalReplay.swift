import SyncCore

/// Feeds a journal to a new engine for each run of a process, and compares the outputs with the recorded ones.
struct JournalReplay {
    /// What one record of a journal did.
    enum Event {
        /// A process of a hub started.
        case hubBegan(LedgerState, transfers: [PeerKey: TransferState], outputs: [HubEngine.Output])
        /// A process of a watch started.
        case watchBegan(WatchEngine.State, outputs: [WatchEngine.Output])
        case hub(HubEngine.Input, outputs: [HubEngine.Output])
        case watch(WatchEngine.Input, outputs: [WatchEngine.Output])
        /// The rest of the run was not recorded, and why.
        case ended(JournalEnd)
    }

    private enum Engine {
        case none
        case hub(HubEngine, waiting: [HubEngine.Output])
        case watch(WatchEngine, waiting: [WatchEngine.Record])
    }

    /// The device that kept the journal, nil if it holds no start of a process.
    private(set) var device: JournalDevice?
    /// How many runs, and steps of the present run, were fed.
    private(set) var runCount = 0
    private(set) var stepNumber = 0
    private(set) var stepCount = 0
    /// The bytes after the last whole record.
    let tornByteCount: Int
    /// The first step at which the engine did something else, nil so far.
    private(set) var difference: JournalReport.Difference?
    private(set) var ends: [JournalEnd] = []

    private let application: JournalApplication?
    private let records: [[UInt8]]
    private var position = 0
    private var engine = Engine.none
    private var moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0)
    private var isRunOver = false

    /// - Throws: ``JournalError``.
    init(_ bytes: [UInt8], of applications: [JournalApplication]) throws(JournalError) {
        let (records, byteCount) = try JournalFile.records(bytes)
        self.records = records
        tornByteCount = bytes.count - byteCount
        let device = try JournalFile.device(bytes)
        self.device = device
        application = applications.first { $0.name == device?.application }
        if let device, application == nil {
            throw .malformed(
                "it is a journal of \"\(device.application)\", not of "
                    + applications.map(\.name).joined(separator: " or "))
        }
    }

    /// When the next record was written, or nil.
    func nextMoment() throws(CodecError) -> Moment? {
        guard position < records.count else { return nil }
        var coder = RecordCoder(reading: records[position])
        switch JournalKind(rawValue: try coder.byte(nil)) {
        case .start: return try coder.next(JournalStart.self).moment
        case .step: return later(elapsed: try coder.next(), wallElapsed: try coder.next())
        case .end, nil: return moment
        }
    }

    private func later(elapsed: Int64, wallElapsed: Int64) -> Moment {
        Moment(
            monotonic: Instant(nanoseconds: moment.monotonic.nanoseconds &+ elapsed),
            wallMilliseconds: moment.wallMilliseconds &+ wallElapsed)
    }

    /// Feeds the next record; nil at the end, or once there is a difference.
    mutating func next() throws(CodecError) -> (moment: Moment, event: Event)? {
        guard position < records.count, difference == nil else { return nil }
        var coder = RecordCoder(reading: records[position])
        position += 1
        let event: Event
        switch JournalKind(rawValue: try coder.byte(nil)) {
        case .start: event = try begin(coder.next())
        case .step: event = try step(&coder)
        case .end:
            guard let end = JournalEnd(rawValue: try coder.byte(nil)) else {
                throw CodecError("record \(position) is an end for no known reason")
            }
            ends.append(end)
            isRunOver = true
            event = .ended(end)
        case nil: throw CodecError("record \(position) is of no known kind")
        }
        guard coder.isAtEnd else { throw CodecError("record \(position) is longer than what it says") }
        return (moment, event)
    }

    private mutating func begin(_ start: JournalStart) throws(CodecError) -> Event {
        guard let application, start.device.application == application.name else {
            throw CodecError("a life of \"\(start.device.application)\" is among those of another application")
        }
        (device, moment) = (start.device, start.moment)
        runCount += 1
        (stepNumber, isRunOver) = (0, false)
        switch start.state {
        case .hub(let state, let sorted):
            let transfers = Dictionary(uniqueKeysWithValues: sorted.pairs.map { ($0.key, $0.value) })
            var hub = HubEngine(
                configuration: application.hub(start.device.versions), state: state, transfers: transfers,
                seed: start.seed, at: moment)
            let outputs = hub.drained()
            engine = .hub(hub, waiting: outputs.filter(\.isRecord))
            compare(start.outputs, outputs.map { OutputDigest($0) }, outputs.map(\.traceWords), input: "the start")
            return .hubBegan(state, transfers: transfers, outputs: outputs)
        case .watch(let configuration, let state):
            var watch = WatchEngine(configuration: configuration, state: state, seed: start.seed)
            let outputs = watch.drained()
            engine = .watch(watch, waiting: outputs.compactMap(\.record))
            compare(start.outputs, outputs.map { OutputDigest($0) }, outputs.map(\.traceText), input: "the start")
            return .watchBegan(state, outputs: outputs)
        }
    }

    private mutating func step(_ coder: inout RecordCoder) throws(CodecError) -> Event {
        guard !isRunOver else { throw CodecError("record \(position) goes on after the end of its life") }
        stepNumber += 1
        stepCount += 1
        switch engine {
        case .none: throw CodecError("record \(position) is a step of no life")
        case .hub(var hub, var waiting):
            let step = try coder.next(JournalStep<HubEngine.Input>.self)
            moment = later(elapsed: step.elapsed, wallElapsed: step.wallElapsed)
            let input = try Self.input(step.input, &waiting)
            engine = .none
            hub.handle(input, at: moment)
            let outputs = hub.drained()
            engine = .hub(hub, waiting: waiting + outputs.filter(\.isRecord))
            compare(step.outputs, outputs.map { OutputDigest($0) }, outputs.map(\.traceWords), input: input.traceWords)
            return .hub(input, outputs: outputs)
        case .watch(var watch, var waiting):
            let step = try coder.next(JournalStep<WatchEngine.Input>.self)
            moment = later(elapsed: step.elapsed, wallElapsed: step.wallElapsed)
            let input = try Self.input(step.input, &waiting)
            engine = .none
            watch.handle(input, at: moment)
            let outputs = watch.drained()
            engine = .watch(watch, waiting: waiting + outputs.compactMap(\.record))
            compare(step.outputs, outputs.map { OutputDigest($0) }, outputs.map(\.traceText), input: input.traceText)
            return .watch(input, outputs: outputs)
        }
    }

    // MARK: - What became of records

    private static func input(
        _ input: JournalInput<HubEngine.Input>, _ waiting: inout [HubEngine.Output]
    ) throws(CodecError) -> HubEngine.Input {
        switch input {
        case .given(let input): return input
        case .outcome(let failure):
            guard !waiting.isEmpty else { throw CodecError("a record is durable that the engine never wanted so") }
            switch waiting.removeFirst() {
            case .persist(let group): return failure.map { .persistFailed(group, reason: $0) } ?? .persisted(group)
            case .record(let peer, let record):
                return failure.map { .recordFailed(peer, record, reason: $0) } ?? .recorded(peer, record)
            case .send, .transfer, .close, .admit, .answer, .event: throw CodecError("what waits is no record")
            }
        }
    }

    private static func input(
        _ input: JournalInput<WatchEngine.Input>, _ waiting: inout [WatchEngine.Record]
    ) throws(CodecError) -> WatchEngine.Input {
        switch input {
        case .given(let input): return input
        case .outcome(let failure):
            guard !waiting.isEmpty else { throw CodecError("a record is durable that the engine never wanted so") }
            let record = waiting.removeFirst()
            return failure.map { .persistFailed(record, reason: $0) } ?? .persisted(record)
        }
    }

    // MARK: - Comparing

    private mutating func compare(
        _ expected: [OutputDigest], _ got: [OutputDigest], _ texts: @autoclosure () -> [String],
        input: @autoclosure () -> String
    ) {
        guard expected != got else { return }
        difference = JournalReport.Difference(
            run: runCount, step: stepNumber, input: input(), expected: expected.map(\.words),
            got: zip(got, texts()).map { "\($0.words): \($1)" })
    }
}

extension HubEngine {
    /// All that it wants now.
    fileprivate mutating func drained() -> [Output] {
        var outputs: [Output] = []
        while let output = nextOutput() { outputs.append(output) }
        return outputs
    }
}

extension WatchEngine {
    /// All that it wants now.
    fileprivate mutating func drained() -> [Output] {
        var outputs: [Output] = []
        while let output = nextOutput() { outputs.append(output) }
        return outputs
    }
}

extension HubEngine.Input {
    /// The text of the trace, with connections named as sockets name them.
    fileprivate var traceWords: String {
        switch self {
        case .received(let parts, let connection, _):
            "received on \(connection.words): " + WatchEngine.Input.received(parts: parts).traceText
        case .unroutable(let connection): "unroutable \(connection.words)"
        case .persisted, .persistFailed, .recorded, .recordFailed, .transact, .settle, .beginEpoch, .publish, .transfer,
            .invite, .unpair, .farewell, .timeReached, .authored:
            traceText
        }
    }
}

extension HubEngine.Output {
    /// The text of the trace, with connections named as sockets name them.
    fileprivate var traceWords: String {
        if case .send(let frame, let connection) = self { return "send on \(connection.words): \(frame.traceText)" }
        return traceText
    }
}

extension ConnectionID {
    fileprivate var words: String { Hexadecimal.text(bytes) }
}
