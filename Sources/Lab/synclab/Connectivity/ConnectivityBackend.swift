import CommandSupport
import SyncSimulation

/// A phone and watches on which steps are carried out: a pair in virtual time, or processes.
protocol ConnectivityBackend: Sendable {
    /// Carries out a step; `wait` and `got` are no such steps.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be done.
    func perform(_ step: ConnectivityStep) async throws

    /// Lets time pass.
    func pass(_ duration: Duration) async throws

    /// The calls of a device's delegate so far, as its trace names them.
    func calls(of device: ConnectivityDevice) async throws -> [String]

    /// What happened on all sides.
    func trace() async throws -> String

    /// Ends everything.
    func end() async
}

extension ConnectivityBackend {
    /// Carries out any step.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be done, or if what it expects does not happen.
    func carryOut(_ step: ConnectivityStep) async throws {
        switch step {
        case .wait(let duration): try await pass(duration)
        case .got(let device, let count, let content, let limit):
            try await expect(count, content, at: device, within: limit)
        case .send, .app, .kill, .start, .cut, .heal, .switchTo: try await perform(step)
        }
    }

    private func expect(
        _ count: Int, _ content: ConnectivityContent, at device: ConnectivityDevice, within limit: Duration
    ) async throws {
        let pause = Duration.milliseconds(50)
        var left = limit
        while true {
            let found = try await calls(of: device).count { $0.hasPrefix(content.call) }
            if found == count { return }
            guard left > .zero, found < count else {
                throw CommandFailure("\(device.name) got \(found) \(content.rawValue), not \(count)")
            }
            try await pass(min(left, pause))
            left -= pause
        }
    }
}
