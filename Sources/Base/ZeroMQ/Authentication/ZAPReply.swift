/// The answer of the ZAP handler.
///
/// For a peer with libzmq 4.3.4, any answer except ``Status/allowed`` is final: its socket never tries again. This
/// holds even for a temporary failure (status 300), so that answer does not exist here. Source: RFC 27, version 1.0;
/// the finality was measured.
public struct ZAPReply: Hashable, Sendable {
    /// The decision.
    public enum Status: Int, Hashable, Sendable {
        /// The peer may connect.
        case allowed = 200
        /// The peer may not connect.
        case denied = 400
        /// The handler cannot decide.
        case internalError = 500
    }

    static let version = Array("1.0".utf8)

    /// The identifier of the request that it answers.
    public let requestID: [UInt8]
    /// The decision.
    public let status: Status
    /// An explanation for the server's operator; libzmq does not send it to the peer.
    public let text: String
    /// The user id of every message of this peer, see ``ReceivedMessage/userID``; empty unless allowed.
    public let userID: String

    private init(requestID: [UInt8], status: Status, text: String, userID: String = "") {
        self.requestID = requestID
        self.status = status
        self.text = text
        self.userID = userID
    }

    /// Allows the peer, under a user id.
    ///
    /// - Precondition: The user id has 1…255 bytes of UTF-8, none of them zero.
    public static func allow(_ request: ZAPRequest, userID: String) -> ZAPReply {
        precondition(
            (1...255).contains(userID.utf8.count) && !userID.utf8.contains(0),
            "a user id has 1…255 bytes and no zero, not \(userID.utf8.count) bytes")
        return ZAPReply(requestID: request.requestID, status: .allowed, text: "OK", userID: userID)
    }

    /// Refuses the peer.
    public static func deny(_ request: ZAPRequest, text: String = "not allowed") -> ZAPReply {
        ZAPReply(requestID: request.requestID, status: .denied, text: text)
    }

    /// Refuses the peer because the handler cannot decide; also the answer to frames that are not a request.
    public static func internalError(requestID: [UInt8], text: String) -> ZAPReply {
        ZAPReply(requestID: requestID, status: .internalError, text: text)
    }

    /// The frames for the REP socket that received the request.
    public var frames: [[UInt8]] {
        [Self.version, requestID, Array(String(status.rawValue).utf8), Array(text.utf8), Array(userID.utf8), []]
    }
}
