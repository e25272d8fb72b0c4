/// Runs scenarios on a backend, step by step.
public struct ScenarioRunner<Backend: ScenarioBackend> {
    /// The backend, which holds the result of the scenario.
    public var backend: Backend
    private var judge = ScenarioChecker()

    /// Creates a runner for one scenario.
    public init(backend: Backend) {
        self.backend = backend
    }

    /// Runs a scenario to its end or to the first step that fails.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - onStep: Called before each step.
    /// - Returns: The result.
    /// - Throws: What the backend throws that is not a ``ScenarioFailure``.
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
            try await backend.perform(action)
            return judge.note(action)
        }
        var left = time.map(backend.limit) ?? .zero
        while true {
            var observations: [String: DeviceObservation] = [:]
            for device in judge.devices(for: condition) {
                observations[device] = try await backend.observation(of: device)
            }
            guard let objection = judge.objection(to: condition, observations) else { return }
            let passed = left > .zero ? try await backend.pass(atMost: left) : .zero
            guard passed > .zero else { throw ScenarioFailure(objection) }
            left -= passed
        }
    }
}

/// The result of a scenario.
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
