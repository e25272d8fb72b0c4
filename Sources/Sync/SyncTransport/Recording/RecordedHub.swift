import SyncCore

/// A hub's engine, and who hears what it is told and wants; without anybody it is the engine alone.
@dynamicMemberLookup
struct RecordedHub {
    private var engine: HubEngine
    private let recording: (any HubRecording)?
    /// What a heard engine wants; the recording has it before anybody else.
    private var outputs: [HubEngine.Output] = []
    private var nextOutputIndex = 0

    init(
        configuration: HubEngine.Configuration, state: LedgerState, transfers: [PeerKey: TransferState],
        seed: UInt64, at moment: Moment, recording: (any HubRecording)?
    ) {
        engine = HubEngine(configuration: configuration, state: state, transfers: transfers, seed: seed, at: moment)
        self.recording = recording
        guard let recording else { return }
        drain()
        recording.began(state, transfers: transfers, seed: seed, at: moment, outputs: outputs)
    }

    mutating func handle(_ input: HubEngine.Input, at moment: Moment) {
        engine.handle(input, at: moment)
        guard let recording else { return }
        drain()
        recording.stepped(input, at: moment, outputs: outputs)
    }

    mutating func nextOutput() -> HubEngine.Output? {
        guard recording != nil else { return engine.nextOutput() }
        guard nextOutputIndex < outputs.count else { return nil }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    var hasOutput: Bool { engine.hasOutput || nextOutputIndex < outputs.count }

    var nextDeadline: Instant? { engine.nextDeadline }

    /// What the engine shows of itself.
    subscript<Value>(dynamicMember member: KeyPath<HubEngine, Value>) -> Value { engine[keyPath: member] }

    private mutating func drain() {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        while let output = engine.nextOutput() { outputs.append(output) }
    }
}
