package import SyncCore

/// What goes wrong when a watch connects.
package enum ConnectFailure: CaseIterable {
    /// The system has no room for a socket.
    case noSocket
    /// The hub cannot tell whom to admit.
    case undecided
    /// The handshake is broken off.
    case brokenOff
    /// Something else answers.
    case wrongAnswer

    /// What the socket tells of the handshake, nil if there is none.
    var handshake: ConnectionSupervisor.HandshakeFailure? {
        switch self {
        case .noSocket: nil
        case .undecided: .undecided
        case .brokenOff: .brokenOff
        case .wrongAnswer: .wrongAnswer
        }
    }
}

/// How long things take in a virtual world, and what goes wrong there.
package protocol WorldConditions {
    /// Something that whoever runs the world plans for a time.
    associatedtype Plan

    /// Whether timers go off when the engine wants it and after all else that is due then; otherwise a timer that was set
    /// before goes off although the engine waits for a later time by now, as that of a real loop may.
    var areTimersExact: Bool { get }
    /// Whether both ends of a connection learn at once that a process ended.
    var endsConnectionsAtOnce: Bool { get }
    /// The time after which a watch that failed to connect tries again; nil if it does when something changes.
    var retryInterval: Duration? { get }

    /// The seed of a process that starts; its clock starts as well.
    mutating func seed(of device: DeviceID, run: Int, clock: inout SimulatedClock) -> UInt64
    /// When an engine may be told at the earliest that time has come, after it was told last.
    func earliestTick(now: Instant, last: Instant?) -> Instant
    /// How late a timer goes off.
    func timerDelay(of device: DeviceID, number: Int) -> Duration

    /// What a disk does with a record that is next after what it works on until a time.
    mutating func write(
        _ number: Int, at device: DeviceID, state: DiskState, now: Instant, busyUntil: Instant
    ) -> DiskWrite
    /// How long it takes until the engine learns what became of a record; nil if no time passes.
    func noticeDelay(of device: DeviceID, number: Int) -> Duration?
    /// How long the disk of a side works on something to be done with a file.
    func fileTime(at side: Side, number: Int) -> Duration
    /// Why it fails, nil if it does not.
    mutating func fileFault(
        _ output: FileExchange.Output, at side: Side, number: Int, state: DiskState
    ) -> FileFailure?

    /// How long an attempt to connect is under way.
    func dialDelay(of watch: Int, attempt: Int, isReplacement: Bool) -> Duration
    /// What goes wrong with an attempt to connect, when it asks for a socket or after that; nil if nothing does.
    mutating func connectFailure(of watch: Int, attempt: Int, atSocket: Bool) -> ConnectFailure?
    /// How long the hub can send on a connection that its watch has left.
    func leaveDelay(of watch: Int, connection: Int) -> Duration
    /// How long it takes until a watch learns that the hub has closed a connection.
    func closeDelay(of connection: Int) -> Duration
    /// How long it takes until a watch learns that the hub's process has ended.
    func endDelay(of connection: Int) -> Duration

    /// What becomes of a message that is sent now; it is numbered by that.
    mutating func fate(
        of message: inout VirtualNetwork.Message, from watch: Int, on link: inout VirtualLink, now: Instant
    ) -> VirtualLink.Fate
    /// When a message still arrives whose connection is gone, from now; nil if never.
    mutating func lateness(of message: VirtualNetwork.Message, from watch: Int) -> Duration?
}
