import Foundation
import SyncCore
import Synchronization

@testable import WatchConnectivity

/// Keeps what happened and lets a test wait for it.
final class Happenings<Item: Sendable>: Sendable {
    private struct Waiter {
        var number: Int
        var condition: @Sendable ([Item]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var items: [Item] = []
        var lastWaiter = 0
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())

    var items: [Item] { state.withLock(\.items) }

    func note(_ item: Item) {
        let ready = state.withLock { state in
            state.items.append(item)
            let items = state.items
            let ready = state.waiting.filter { $0.condition(items) }
            state.waiting.removeAll { waiter in ready.contains { $0.number == waiter.number } }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns once the items satisfy a condition, or the test's time is over.
    func wait(until condition: @escaping @Sendable ([Item]) -> Bool) async {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if condition(state.items) || Task.isCancelled { return true }
                    state.waiting.append(Waiter(number: number, condition: condition, continuation: continuation))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}

/// A device in this process, with an app that takes everything.
final class HostedDevice: Sendable {
    let device: RealDevice
    let app = HostedApp()
    let traces = Happenings<TraceEvent>()
    let changes = Happenings<Int>()

    init(_ setup: SessionSetup) throws {
        var observer = RealDevice.Observer()
        observer.trace = { [traces] in traces.note($0) }
        observer.counterpartsChanged = { [changes] in changes.note(0) }
        device = try RealDevice(setup, observer)
        device.counterparts[0].shell.attach(app)
    }

    var shell: CompanionShell { device.counterparts[0].shell }

    /// Starts the device and activates its app's session.
    func start() async {
        device.start()
        shell.handle(.activate(hasDelegate: true))
        await app.calls.wait { $0.contains(.activationDidComplete(.activated, nil)) }
    }

    func queue(_ number: UInt8) {
        var generator = SystemRandomNumberGenerator()
        shell.handle(
            .transferUserInfo(
                RandomID(using: &generator), .bytes([number]), isComplication: false, hasDelegate: true))
    }

    /// Returns once the app sees what is wanted.
    func sees(_ condition: @escaping @Sendable (SessionView) -> Bool) async {
        await app.views.wait { [shell] _ in condition(shell.view) }
    }
}

/// An app that takes everything, and notes it.
final class HostedApp: CompanionApp {
    let calls = Happenings<Companion.Call>()
    let views = Happenings<SessionView>()

    func take(_ call: Companion.Call, path: String?) -> Companion.Handling {
        calls.note(call)
        return .handled
    }

    func viewChanged(from old: SessionView, to new: SessionView) {
        views.note(new)
    }

    /// The user infos that arrived.
    var infos: [UInt8] { Self.infos(calls.items) }

    static func infos(_ calls: [Companion.Call]) -> [UInt8] {
        calls.compactMap { call in
            guard case .userInfo(let bytes) = call else { return nil }
            return bytes.first
        }
    }
}

/// A folder that goes with the test.
final class DeviceFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // What cannot be removed is left to the system.
        try? FileManager.default.removeItem(atPath: path)
    }

    func setup(_ side: SessionSetup.Side, _ name: String, meeting: Bool = true) -> SessionSetup {
        var setup = SessionSetup(
            side: side, stateFolder: path + "/" + name, meetingFolder: meeting ? path + "/meeting" : nil)
        setup.heartbeat = .milliseconds(200)
        setup.name = name
        return setup
    }
}
