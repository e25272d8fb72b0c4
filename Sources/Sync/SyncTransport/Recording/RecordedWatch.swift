import SyncCore

/// A watch's engine, and who hears what it is told and wants; without anybody it is the engine alone.
@dynamicMemberLookup
struct RecordedWatch {
    /// The engine, for those who look at all of it.
    private(set) var engine: WatchEngine
    private let recording: (any WatchRecording)?
    /// What a heard engine wants; the recording has it before anybody else.
    private var outputs: [WatchEngine.Output] = []
    private var nextOutputIndex = 0

    init(
        configuration: WatchEngine.Configuration, state: WatchEngine.State, seed: UInt64,
        recording: (any WatchRecording)?
    ) {
        engine = WatchEngine(configuration: configuration, state: state, seed: seed)
        self.recording = recording
        guard let recording else { return }
        drain()
        recording.began(configuration, state, seed: seed, at: .now, outputs: outputs)
    }

    mutating func handle(_ input: WatchEngine.Input, at moment: Moment) {
        engine.handle(input, at: moment)
        guard let recording else { return }
        drain()
        recording.stepped(input, at: moment, outputs: outputs)
    }

    mutating func nextOutput() -> WatchEngine.Output? {
        guard recording != nil else { return engine.nextOutput() }
        guard nextOutputIndex < outputs.count else { return nil }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    var nextDeadline: Instant? { engine.nextDeadline }

    /// What the engine shows of itself.
    subscript<Value>(dynamicMember member: KeyPath<WatchEngine, Value>) -> Value { engine[keyPath: member] }

    private mutating func drain() {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        while let output = engine.nextOutput() { outputs.append(output) }
    }
}
