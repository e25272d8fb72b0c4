/// Runs scenarios on a stage, step by step.
public struct ScenarioRunner<Stage: ScenarioBackend> {
    /// The stage, which keeps what the scenario has led to.
    public var stage: Stage
    private var judge = ScenarioChecker()

    /// Creates a runner for one scenario.
    public init(stage: Stage) {
        self.stage = stage
    }

    /// Runs a scenario to its end or to the first step that fails.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - onStep: Called before each step.
    /// - Returns: What became of it.
    /// - Throws: What the stage throws that is no ``ScenarioFailure``.
    public mutating func run(
        _ scenario: Scenario, onStep: (ScenarioStep) -> Void = { _ in }
    ) async throws -> ScenarioReport {
        var report = ScenarioReport(file: scenario.file, stepCount: 0, expectationCount: 0, failure: nil)
        for step in scenario.steps {
            onStep(step)
            do {
                try await run(step.action)
            } catch let failure as ScenarioFailure {
                report.failure = ScenarioReport.Failure(line: step.line, step: step.text, reason: failure.description)
                return report
            }
            report.stepCount += 1
            if case .expect = step.action { report.expectationCount += 1 }
        }
        return report
    }

    private mutating func run(_ action: ScenarioAction) async throws {
        guard case .expect(let condition, let time) = action else {
            try await stage.perform(action)
            return judge.note(action)
        }
        var left = time.map(stage.limit) ?? .zero
        while true {
            var sights: [String: DeviceObservation] = [:]
            for device in judge.devices(for: condition) { sights[device] = try await stage.sight(of: device) }
            guard let objection = judge.objection(to: condition, sights) else { return }
            let passed = left > .zero ? try await stage.pass(atMost: left) : .zero
            guard passed > .zero else { throw ScenarioFailure(objection) }
            left -= passed
        }
    }
}

/// What became of a scenario.
public struct ScenarioReport: Hashable, Codable, Sendable {
    /// The first step that failed.
    public struct Failure: Hashable, Codable, Sendable {
        /// The number of its line.
        public var line: Int
        /// The line.
        public var step: String
        /// What was seen instead.
        public var reason: String
    }

    /// The name of the scenario's file.
    public var file: String
    /// The steps that were done.
    public var stepCount: Int
    /// The expectations among them.
    public var expectationCount: Int
    /// Why it ended early, nil if it did not.
    public var failure: Failure?

    /// The failure as a person reads it, or nil.
    public var failureText: String? {
        failure.map { "\(file):\($0.line): \($0.step): \($0.reason)" }
    }
}
