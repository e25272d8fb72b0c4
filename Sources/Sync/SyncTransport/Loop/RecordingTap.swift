import SyncCore

/// An engine whose inputs and outputs are reported to a recording before the outputs are carried out; without a
/// recording it is just the engine.
struct RecordingTap<Engine: SyncEngine> {
    /// Records an input and the outputs that resulted from it.
    typealias OnStep = @Sendable (Engine.Input, Moment, [Engine.Output]) -> Void

    private(set) var engine: Engine
    private let onStep: OnStep?
    /// The outputs of a recorded engine; the recording gets them first.
    private var outputs: [Engine.Output] = []
    private var nextOutputIndex = 0

    /// Wraps an engine without a recording.
    init(_ engine: Engine) {
        self.engine = engine
        onStep = nil
    }

    /// Wraps an engine that has just started.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - onStart: Records the engine's initial outputs.
    ///   - onStep: Records each input with its outputs.
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
