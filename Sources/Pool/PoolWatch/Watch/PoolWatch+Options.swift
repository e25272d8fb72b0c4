public import Logging
public import SyncCore
public import SyncTransport
public import ZeroMQ

extension PoolWatch {
    /// What a watch is told at its start.
    public struct Options: Sendable {
        /// The device to show: its identity, its name, or the start of its identity; nil for the selected one.
        public var device: String?
        /// Where the hub listens, nil for where it was when the watch was paired.
        ///
        /// It is not remembered.
        public var endpoint: Endpoint?
        /// The name that the watch tells the hub, nil for the one that the hub gave it; 1…64 bytes in UTF-8.
        public var name: String?
        /// Gets what cannot be told in another way: pieces that cannot be read, and failures of the disk.
        public var logger: Logger
        /// Called after each change that could alter a face, but not for the passing of time.
        ///
        /// It may be called on any thread, and must return at once.
        public var onChange: @Sendable () -> Void
        /// The clocks of this machine; the monotonic one must be the driver's, moved at most by a constant.
        public var clock: @Sendable () -> Moment
        /// Opens the journal of the watch with a public key; nil for none.
        public var recording: (@Sendable (PeerKey) throws -> any WatchRecording)?
        /// Waits before a file is taken in that could not be a moment ago, as on a full disk; half a minute.
        var pauseOfFiles: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(30)) }

        /// Creates options.
        public init(
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
