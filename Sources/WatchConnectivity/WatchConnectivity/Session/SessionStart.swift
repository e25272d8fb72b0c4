import Foundation
import Platform

#if Processes
    import SyncTransport
#endif

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
            let environment = ProcessInfo.processInfo.environment
            for name in SessionSetup.unknownVariables(in: environment) {
                let known = SessionSetupError.Key.allCases.map(\.rawValue).joined(separator: ", ")
                Self.complain("\(name) has no effect: the variables are \(known).")
            }
            do throws(SessionSetupError) {
                let setup = try SessionSetup(environment: environment)
                state = if let setup { .running(try Self.start(setup, registry)) } else { .unpaired }
            } catch {
                Self.complain("\(error)")
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

    /// Reports to the standard error what would otherwise only show as a session without a counterpart.
    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("WatchConnectivity: \(text)\n".utf8))
    }

    private static func start(_ setup: SessionSetup, _ registry: SessionRegistry) throws(SessionSetupError)
        -> any DeviceHost
    {
        #if Processes
            try requireParent(of: setup.stateFolder, .stateFolder)
            if let file = setup.invitationFile { try requireParent(of: file, .invitationFile) }
            // A code is secret, so an error does not contain it.
            let isCode = setup.invitation.map { (try? InvitationCode($0)) != nil } ?? true
            try SessionSetup.require(isCode, .invitation, "…", "give the whole code that the phone wrote")
            DocumentsFolder.create()
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
        #else
            throw .notStarted(
                "this build has no sessions between processes; add the trait \"Processes\" where your Package.swift names the package"
            )
        #endif
    }

    /// Checks that the folder above a path exists.
    private static func requireParent(of path: String, _ key: SessionSetupError.Key) throws(SessionSetupError) {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isFolder = false
        if let type = try? FileManager.default.attributesOfItem(atPath: parent)[.type] as? FileAttributeType {
            isFolder = type == .typeDirectory || type == .typeSymbolicLink
        }
        try SessionSetup.require(
            isFolder, key, path, "there is no folder \(parent); create it, or choose another path")
    }
}
