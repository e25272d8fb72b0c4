/// The status of the connection below a watch's session.
public enum ConnectionStatus: Hashable, Sendable {
    /// The status while the first attempt runs.
    case connecting
    /// The status while nothing answers at the endpoint, or the system has no room for a socket to ask it.
    case unreachable
    /// The status after the hub refused this watch's key; it is tried again after a while.
    case notAdmitted
    /// The status while something takes connections and does not finish the handshake in time, or cannot tell whom to
    /// admit: a hub that has too much to do, or another program.
    case unfinished
    /// The status while something takes connections and breaks each handshake off: mostly another program, or a hub
    /// with another key; nobody can tell those from a hub in trouble.
    case notThisHub
    /// The status while an encrypted connection stands.
    case connected
}
