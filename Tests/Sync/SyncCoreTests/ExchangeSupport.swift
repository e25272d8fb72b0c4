@testable import SyncCore

/// An exchange whose outputs a test claims, and its disk: what was stored, and nothing else.
struct ExchangeScript {
    private(set) var engine: Exchange
    /// What the durable records add up to.
    private(set) var disk: Exchange.State
    /// The record that is being stored.
    private(set) var record: Exchange.Record?
    private(set) var outputs: [Exchange.Output] = []
    private let configuration: Exchange.Configuration
    private var life: UInt64 = 1

    init(
        _ state: Exchange.State = .init(), configuration: Exchange.Configuration = .init(), seed: UInt64 = 1
    ) {
        self.configuration = configuration
        disk = state
        life = seed
        engine = Exchange(configuration: configuration, state: state, seed: seed)
        drain()
    }

    mutating func feed(_ input: Exchange.Input, at milliseconds: Int64) {
        feed(input, at: moment(milliseconds))
    }

    mutating func feed(_ input: Exchange.Input, at moment: Moment) {
        engine.handle(input, at: moment)
        drain()
    }

    private mutating func drain() {
        while let output = engine.nextOutput() {
            outputs.append(output)
            if case .persist(let next) = output { record = next }
        }
    }

    /// Makes the record durable that is being stored, and those that follow from it.
    mutating func store(at milliseconds: Int64) {
        while let stored = record {
            record = nil
            disk.apply(stored)
            feed(.persisted(stored), at: milliseconds)
        }
    }

    /// Makes the record durable that is being stored.
    mutating func storeOnce(at milliseconds: Int64) {
        guard let stored = record else { return }
        record = nil
        disk.apply(stored)
        feed(.persisted(stored), at: milliseconds)
    }

    /// Loses the record that is being stored.
    mutating func failStore(at milliseconds: Int64) {
        guard let lost = record else { return }
        record = nil
        feed(.persistFailed(lost, reason: "full"), at: milliseconds)
    }

    /// Ends the process and starts it again on what the disk holds.
    mutating func crash(keeping isStored: Bool = false) {
        if isStored, let record { disk.apply(record) }
        restart(from: disk)
    }

    /// Starts the process again on another disk.
    mutating func restart(from state: Exchange.State) {
        record = nil
        outputs = []
        disk = state
        life += 1
        engine = Exchange(configuration: configuration, state: state, seed: life)
        drain()
    }

    mutating func claim() -> [Exchange.Output] {
        defer { outputs = [] }
        return outputs
    }

    /// The frames among the outputs.
    mutating func claimFrames() -> [Frame] {
        claim().compactMap { output in
            guard case .send(let frame) = output else { return nil }
            return frame
        }
    }

    /// The answers among the outputs.
    mutating func claimAnswers() -> [Exchange.Answer] {
        claim().compactMap { output in
            guard case .answer(_, let answer) = output else { return nil }
            return answer
        }
    }

    /// The events among the outputs.
    mutating func claimEvents() -> [Exchange.Event] {
        claim().compactMap { output in
            guard case .event(let event) = output else { return nil }
            return event
        }
    }

    /// Has an item accepted durably; gives its id.
    @discardableResult
    mutating func accept(_ payload: [UInt8], isUrgent: Bool = false, at milliseconds: Int64) -> RandomID? {
        feed(.transfer(request(0), .init(payload: payload, isUrgent: isUrgent)), at: milliseconds)
        store(at: milliseconds)
        for case .answer(_, .accepted(let id, _)) in outputs { return id }
        return nil
    }

    mutating func open(_ session: UInt64, peer: ItemPositions = ItemPositions(), at milliseconds: Int64) {
        feed(.sessionOpened(session, peer: peer), at: milliseconds)
        store(at: milliseconds)
    }
}

/// Two exchanges with a link that delivers all at once, unless a test holds it up.
struct ExchangePair {
    var left: ExchangeScript
    var right: ExchangeScript
    /// The payloads that the right side received, in order.
    private(set) var received: [[UInt8]] = []
    /// The payloads that the left side received, in order.
    private(set) var receivedLeft: [[UInt8]] = []
    private(set) var answers: [Exchange.Answer] = []
    private(set) var leftEvents: [Exchange.Event] = []
    private var session: UInt64 = 0

    init(configuration: Exchange.Configuration = .init()) {
        left = ExchangeScript(configuration: configuration, seed: 1)
        right = ExchangeScript(configuration: configuration, seed: 1000)
    }

    /// Opens a session in which each side tells the other how far it is.
    mutating func open(at milliseconds: Int64) {
        session += 1
        left.feed(.sessionClosed, at: milliseconds)
        right.feed(.sessionClosed, at: milliseconds)
        let positions = (left.engine.positions, right.engine.positions)
        left.feed(.sessionOpened(session, peer: positions.1), at: milliseconds)
        right.feed(.sessionOpened(session, peer: positions.0), at: milliseconds)
    }

    /// Stores and delivers everything until nothing moves.
    mutating func settle(at milliseconds: Int64) {
        for _ in 0..<10_000 {
            left.store(at: milliseconds)
            right.store(at: milliseconds)
            let outputs = (left.claim(), right.claim())
            guard !outputs.0.isEmpty || !outputs.1.isEmpty else { return }
            for output in outputs.0 {
                switch output {
                case .send(let frame): right.feed(.received(frame), at: milliseconds)
                case .answer(_, let answer): answers.append(answer)
                case .event(.itemReceived(let item)):
                    receivedLeft.append(item.payload)
                    left.feed(.consumed(item.id), at: milliseconds)
                case .event(let event): leftEvents.append(event)
                case .persist, .endSession: break
                }
            }
            for output in outputs.1 {
                switch output {
                case .send(let frame): left.feed(.received(frame), at: milliseconds)
                case .event(.itemReceived(let item)):
                    received.append(item.payload)
                    right.feed(.consumed(item.id), at: milliseconds)
                case .persist, .answer, .event, .endSession: break
                }
            }
        }
    }
}

func request(_ number: UInt64) -> Exchange.RequestID { Exchange.RequestID(number: number) }

func identifier(_ number: UInt64) -> RandomID { RandomID(high: 0, low: number) }
