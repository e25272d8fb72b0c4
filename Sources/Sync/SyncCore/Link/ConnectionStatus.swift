/// The status of the connection below a watch's session.
public enum ConnectionStatus: Hashable, Sendable {
    /// The status while the first attempt runs.
    case connecting
    /// The status while nothing answers at the endpoint, or while the system has no room for another socket.
    case unreachable
    /// The status after the hub refused this watch's key; the watch tries again after a while.
    case notAdmitted
    /// The status while something accepts connections but does not finish the handshake in time, or cannot decide
    /// whether to admit the key: an overloaded hub, or another program.
    case unfinished
    /// The status while something accepts connections and breaks off each handshake: usually another program or a hub
    /// with another key, but a hub in trouble looks the same.
    case notThisHub
    /// The status while an encrypted connection exists.
    case connected
}
