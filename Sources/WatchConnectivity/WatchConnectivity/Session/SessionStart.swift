import Foundation
import Platform

/// Starts a process's device: once, at the first use of the default session.
final class SessionStart: Sendable {
    private enum State {
        case unused
        /// Nothing sets the process up as a device.
        case unpaired
        /// The host, which must live as long as the process.
        case running(any DeviceHost)
        case failed(SessionSetupError)
    }

    private let state = Lock(State.unused)

    /// Starts the device of the process's setup, if that has not happened yet.
    func once(_ registry: SessionRegistry) {
        state.withLock { state in
            guard case .unused = state else { return }
            do throws(SessionSetupError) {
                let setup = try SessionSetup(environment: ProcessInfo.processInfo.environment)
                state = if let setup { .running(try Self.start(setup, registry)) } else { .unpaired }
            } catch {
                state = .failed(error)
            }
        }
    }

    /// Sets the process up as a device, and starts the device.
    func start(_ setup: SessionSetup, _ registry: SessionRegistry) throws(SessionSetupError) {
        try setup.check()
        let fault = state.withLock { state -> SessionSetupError? in
            guard case .unused = state else { return .tooLate }
            do throws(SessionSetupError) {
                state = .running(try Self.start(setup, registry))
                return nil
            } catch {
                state = .failed(error)
                return error
            }
        }
        if let fault { throw fault }
    }

    /// Why the process has no device although it was set up.
    var fault: SessionSetupError? {
        state.withLock { if case .failed(let fault) = $0 { fault } else { nil } }
    }

    private static func start(_ setup: SessionSetup, _ registry: SessionRegistry) throws(SessionSetupError)
        -> any DeviceHost
    {
        let trace = TraceWriter(side: setup.name, setup.trace)
        registry.state.withLock { $0.role = setup.side }
        do {
            let device = try RealDevice(setup, on: registry, trace: { trace.write($0) })
            registry.host = device
            device.start()
            device.waitForCounterpart(atMost: setup.patience)
            return device
        } catch {
            throw .notStarted("\(error)")
        }
    }
}
