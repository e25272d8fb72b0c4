import Foundation
import Synchronization

/// The start of a process's device: once, by the first use of the default session.
final class SessionStart: Sendable {
    private let state = Mutex(State())

    private struct State {
        var hasStarted = false
        /// What must live as long as the process.
        var device: (any DeviceHost)?
        var fault: SessionSetupError?
    }

    /// Starts what the process's setup says, if it was not done yet.
    func once(_ board: SessionRegistry) {
        state.withLock { state in
            guard !state.hasStarted else { return }
            state.hasStarted = true
            do throws(SessionSetupError) {
                guard let setup = try SessionSetup(environment: ProcessInfo.processInfo.environment) else { return }
                state.device = try Self.start(setup, board)
            } catch {
                state.fault = error
            }
        }
    }

    /// Sets the process up, and starts it.
    func start(_ setup: SessionSetup, _ board: SessionRegistry) throws(SessionSetupError) {
        try setup.check()
        let fault = state.withLock { state -> SessionSetupError? in
            guard !state.hasStarted else { return .tooLate }
            state.hasStarted = true
            do throws(SessionSetupError) {
                state.device = try Self.start(setup, board)
                return nil
            } catch {
                state.fault = error
                return error
            }
        }
        if let fault { throw fault }
    }

    /// Why the process has no device though it was set up.
    var fault: SessionSetupError? { state.withLock(\.fault) }

    private static func start(_ setup: SessionSetup, _ board: SessionRegistry) throws(SessionSetupError)
        -> any DeviceHost
    {
        let trace = TraceWriter(side: setup.name, setup.trace)
        board.state.withLock { $0.role = setup.role }
        do {
            let device = try RealDevice(setup, on: board, trace: { trace.write($0) })
            board.host = device
            device.start()
            device.waitForCounterpart(atMost: setup.patience)
            return device
        } catch {
            throw .notStarted("\(error)")
        }
    }
}
