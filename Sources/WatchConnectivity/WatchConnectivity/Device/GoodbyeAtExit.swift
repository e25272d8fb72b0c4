#if Processes
    import Foundation
    import Platform

    /// Lets the devices of a process send BYE when it exits, so that the other side does not have to wait for their
    /// silence.
    ///
    /// A killed process sends nothing; its counterparts notice the closed connection, or the silence.
    enum GoodbyeAtExit {
        private struct State {
            var devices: [WeakReference<RealDevice>] = []
            var isRegistered = false
        }

        private static let state = Lock(State())

        /// Stops a device at the exit.
        static func add(_ device: RealDevice) {
            state.withLock { state in
                state.devices.removeAll { $0.object == nil }
                state.devices.append(WeakReference(device))
                guard !state.isRegistered else { return }
                state.isRegistered = true
                atexit { GoodbyeAtExit.stopAll() }
            }
        }

        /// Removes a device that has stopped.
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
#endif
