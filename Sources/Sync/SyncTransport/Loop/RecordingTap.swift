import SyncCore

/// An engine, and who hears what it is told and wants before anybody acts on it; without anybody it is the engine alone.
struct RecordingTap<Engine: SyncEngine> {
    /// Hears an input and the outputs to which it led.
    typealias OnStep = @Sendable (Engine.Input, Moment, [Engine.Output]) -> Void

    private(set) var engine: Engine
    private let onStep: OnStep?
    /// What a heard engine wants; the recording has it before anybody else.
    private var outputs: [Engine.Output] = []
    private var nextOutputIndex = 0

    /// An engine that nobody hears.
    init(_ engine: Engine) {
        self.engine = engine
        onStep = nil
    }

    /// Taps an engine that has just started.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - onStart: Hears what the engine wants at its start.
    ///   - onStep: Hears each input, and what the engine wants then.
    init(_ engine: Engine, onStart: ([Engine.Output]) -> Void, onStep: @escaping OnStep) {
        self.engine = engine
        self.onStep = onStep
        drain()
        onStart(outputs)
    }

    mutating func handle(_ input: Engine.Input, at moment: Moment) {
        engine.handle(input, at: moment)
        guard let onStep else { return }
        drain()
        onStep(input, moment, outputs)
    }

    mutating func nextOutput() -> Engine.Output? {
        guard onStep != nil else { return engine.nextOutput() }
        guard nextOutputIndex < outputs.count else { return nil }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    private mutating func drain() {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        while let output = engine.nextOutput() { outputs.append(output) }
    }
}
