import Foundation
import Synchronization

/// Lets the devices of a process say goodbye when it exits: the other side then need not wait for their silence.
///
/// A process that is killed says nothing; its counterparts notice that by the closed connection, or by the silence.
enum GoodbyeAtExit {
    private struct State {
        var devices: [WeakReference<RealDevice>] = []
        var isRegistered = false
    }

    private static let state = Mutex(State())

    /// Has a device stopped at the exit.
    static func add(_ device: RealDevice) {
        state.withLock { state in
            state.devices.removeAll { $0.object == nil }
            state.devices.append(WeakReference(device))
            guard !state.isRegistered else { return }
            state.isRegistered = true
            atexit { GoodbyeAtExit.stopAll() }
        }
    }

    /// A device has stopped.
    static func remove(_ device: RealDevice) {
        state.withLock { $0.devices.removeAll { $0.object == nil || $0.object === device } }
    }

    private static func stopAll() {
        let devices = state.withLock { state in
            defer { state.devices = [] }
            return state.devices
        }
        for device in devices.compactMap(\.object) { device.stop(atMost: .milliseconds(500)) }
    }
}
