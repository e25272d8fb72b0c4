package import SyncCore

/// A fault of an attempt to connect.
package enum ConnectFailure: CaseIterable {
    /// The system has no room for a socket.
    case noSocket
    /// The hub cannot determine whom to admit.
    case undecided
    /// The handshake is broken off.
    case brokenOff
    /// Something else answers.
    case wrongAnswer

    /// What the socket reports of the handshake, nil if there is none.
    var handshake: ConnectionSupervisor.HandshakeFailure? {
        switch self {
        case .noSocket: nil
        case .undecided: .undecided
        case .brokenOff: .brokenOff
        case .wrongAnswer: .wrongAnswer
        }
    }
}

/// Durations and faults in a virtual world.
package protocol WorldConditions {
    /// Something that the caller of the world plans for a time.
    associatedtype Plan

    /// Whether timers go off when the engine wants it and after everything else that is due then. Otherwise a timer
    /// that was set before goes off although the engine now waits for a later time, as may happen in a real loop.
    var areTimersExact: Bool { get }
    /// Whether both ends of a connection notice at once that a process ended.
    var endsConnectionsAtOnce: Bool { get }
    /// The time after which a watch that failed to connect tries again; nil if it does when something changes.
    var retryInterval: Duration? { get }

    /// The seed of a process that starts; its clock starts as well.
    mutating func seed(of device: DeviceID, run: Int, clock: inout SimulatedClock) -> UInt64
    /// When an engine may be notified at the earliest that a time has come, after the last notification.
    func earliestTick(now: Instant, last: Instant?) -> Instant
    /// How late a timer goes off.
    func timerDelay(of device: DeviceID, number: Int) -> Duration

    /// What a disk does with its next record, while it works on earlier ones until a time.
    mutating func write(
        _ number: Int, at device: DeviceID, state: DiskState, now: Instant, busyUntil: Instant
    ) -> DiskWrite
    /// How long it takes until the engine is notified of the result of a record; nil if no time passes.
    func noticeDelay(of device: DeviceID, number: Int) -> Duration?
    /// How long the disk of a side works on something to be done with a file.
    func fileTime(at side: Side, number: Int) -> Duration
    /// Why it fails, nil if it does not.
    mutating func fileFault(
        _ output: FileExchange.Output, at side: Side, number: Int, state: DiskState
    ) -> FileFailure?

    /// How long an attempt to connect is on its way.
    func dialDelay(of watch: Int, attempt: Int, isReplacement: Bool) -> Duration
    /// The fault of an attempt to connect, of its socket or after that; nil if it has none.
    mutating func connectFailure(of watch: Int, attempt: Int, atSocket: Bool) -> ConnectFailure?
    /// How long the hub can send on a connection that its watch has left.
    func leaveDelay(of watch: Int, connection: Int) -> Duration
    /// How long it takes until a watch notices that the hub has closed a connection.
    func closeDelay(of connection: Int) -> Duration
    /// How long it takes until a watch notices that the hub's process has ended.
    func endDelay(of connection: Int) -> Duration

    /// The outcome of a message that is sent now, and that gets its number by that.
    mutating func outcome(
        of message: inout VirtualNetwork.Message, from watch: Int, on link: inout VirtualLink, now: Instant
    ) -> VirtualLink.Outcome
    /// When a message still arrives whose connection is gone, from now; nil if never.
    mutating func lateness(of message: VirtualNetwork.Message, from watch: Int) -> Duration?
}
