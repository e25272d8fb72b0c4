/// The answer of the ZAP handler.
///
/// Any answer but ``Status/allowed`` is final for a peer that runs libzmq 4.3.4: its socket never tries again, not
/// even after a temporary failure (status 300), which is why there is no such answer here.
/// Source: RFC 27, version 1.0; the finality is measured.
public struct ZAPReply: Hashable, Sendable {
    /// The verdict.
    public enum Status: Int, Hashable, Sendable {
        /// The peer may come in.
        case allowed = 200
        /// The peer may not.
        case denied = 400
        /// The handler cannot tell.
        case internalError = 500
    }

    static let version = Array("1.0".utf8)

    /// The bytes of the request that it answers.
    public let requestID: [UInt8]
    /// The verdict.
    public let status: Status
    /// A word on it for the server's operator; libzmq does not tell the peer.
    public let text: String
    /// The name that marks every message of this peer, see ``ReceivedMessage/userID``; empty unless allowed.
    public let userID: String

    private init(requestID: [UInt8], status: Status, text: String, userID: String = "") {
        self.requestID = requestID
        self.status = status
        self.text = text
        self.userID = userID
    }

    /// Lets the peer in under a name.
    ///
    /// - Precondition: The user id has 1…255 bytes of UTF-8, none of them zero.
    public static func allow(_ request: ZAPRequest, userID: String) -> ZAPReply {
        precondition(
            (1...255).contains(userID.utf8.count) && !userID.utf8.contains(0),
            "a user id has 1…255 bytes and no zero, not \(userID.utf8.count) bytes")
        return ZAPReply(requestID: request.requestID, status: .allowed, text: "OK", userID: userID)
    }

    /// Keeps the peer out.
    public static func deny(_ request: ZAPRequest, text: String = "not allowed") -> ZAPReply {
        ZAPReply(requestID: request.requestID, status: .denied, text: text)
    }

    /// Keeps the peer out, since the handler cannot tell; also the answer to frames that are no request.
    public static func internalError(requestID: [UInt8], text: String) -> ZAPReply {
        ZAPReply(requestID: requestID, status: .internalError, text: text)
    }

    /// The frames for the REP socket that received the request.
    public var frames: [[UInt8]] {
        [Self.version, requestID, Array(String(status.rawValue).utf8), Array(text.utf8), Array(userID.utf8), []]
    }
}
