public import Logging
import Platform
public import SyncCore
package import SyncTransport
public import ZeroMQ

extension PoolWatch {
    /// The options of a watch at its start.
    public struct Options: Sendable {
        /// The device to show: its identity, its name, or the start of its identity; nil for the selected one.
        public var device: String?
        /// The hub's endpoint; nil for the one at the time of pairing.
        ///
        /// It is not stored.
        public var endpoint: Endpoint?
        /// The name that the watch tells the hub; nil for the one that the hub gave it; 1…64 bytes in UTF-8.
        public var name: String?
        /// Logs what cannot be reported otherwise: data that cannot be read, and failures of the disk.
        public var logger: Logger
        /// Called after each change that could affect a face, but not because time passes.
        ///
        /// It may be called on any thread, and must return at once.
        public var onChange: @Sendable () -> Void
        /// The clocks of this machine; the monotonic one must be the driver's, except for a constant offset.
        public var clock: @Sendable () -> Moment
        /// Opens the journal of the watch with a given public key; nil for none.
        package var recording: (@Sendable (PeerKey) throws -> any WatchRecording)?
        /// Waits before storing a file is tried again that just failed, for example because the disk is full; half a
        /// minute.
        var pauseOfFiles: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(30)) }

        /// Creates options.
        package init(
            device: String? = nil, endpoint: Endpoint? = nil, name: String? = nil, logger: Logger,
            onChange: @escaping @Sendable () -> Void = {}, clock: @escaping @Sendable () -> Moment = { .now },
            recording: (@Sendable (PeerKey) throws -> any WatchRecording)? = nil
        ) {
            self.device = device
            self.endpoint = endpoint
            self.name = name
            self.logger = logger
            self.onChange = onChange
            self.clock = clock
            self.recording = recording
        }
    }
}
