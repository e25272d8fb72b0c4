/// A request of libzmq to the ZAP handler: whether a peer may connect.
///
/// The handler is a REP socket bound to ``Endpoint/zap`` in the same context, before any server is bound. It must
/// answer each request; a handshake waits until it does. Source: RFC 27, version 1.0.
public struct ZAPRequest: Hashable, Sendable {
    /// The credentials of a peer.
    public enum Credentials: Hashable, Sendable {
        /// No credentials (the NULL mechanism).
        case none
        /// The public key; the handshake has proved that the peer has the secret key.
        case curve(CurvePublicKey)
        /// Another mechanism; its credentials may be a password and are not kept.
        case other(mechanism: String)
    }

    /// The identifier that the reply must repeat.
    public let requestID: [UInt8]
    /// The server's ``SocketOptions/Security`` domain.
    public let domain: String
    /// The peer's address without its port.
    public let address: String
    /// The credentials of the peer.
    public let credentials: Credentials

    /// Reads the frames that a ZAP handler received.
    ///
    /// - Throws: ``ZAPRequestError`` for anything that is not a request of version 1.0.
    public init(frames: [[UInt8]]) throws(ZAPRequestError) {
        guard frames.count >= 6 else { throw .tooFewFrames(frames.count) }
        guard frames[0] == ZAPReply.version else { throw .unknownVersion(frames[0]) }
        requestID = frames[1]
        domain = String(decoding: frames[2], as: UTF8.self)
        address = String(decoding: frames[3], as: UTF8.self)
        // The fifth frame is the server's own routing id, not the peer's as in RFC 27, so it is of no use.
        credentials = try Self.credentials(mechanism: frames[5], frames.dropFirst(6))
    }

    private static func credentials(
        mechanism: [UInt8], _ frames: ArraySlice<[UInt8]>
    ) throws(ZAPRequestError) -> Credentials {
        switch String(decoding: mechanism, as: UTF8.self) {
        case "NULL":
            return .none
        case "CURVE":
            guard frames.count == 1, let bytes = frames.first else { throw .invalidCurveKey }
            do {
                return .curve(try CurvePublicKey(bytes: bytes))
            } catch {
                throw .invalidCurveKey
            }
        case let name:
            return .other(mechanism: name)
        }
    }
}

/// Why frames are not a ZAP request.
@nonexhaustive
public enum ZAPRequestError: Error, Equatable, Sendable {
    /// A request has at least six frames.
    case tooFewFrames(Int)
    /// The version is not 1.0.
    case unknownVersion([UInt8])
    /// The credentials are not exactly one key of 32 bytes.
    case invalidCurveKey
}

extension ZAPRequestError: CustomStringConvertible {
    /// The expected and the actual frames.
    public var description: String {
        switch self {
        case .tooFewFrames(let count): "a ZAP request has at least 6 frames, not \(count)"
        case .unknownVersion(let bytes):
            "a ZAP request has version 1.0, not '\(String(decoding: bytes, as: UTF8.self))'"
        case .invalidCurveKey: "a ZAP request for CURVE shows one key of 32 bytes"
        }
    }
}

extension Endpoint {
    /// The endpoint of the ZAP handler: `inproc://zeromq.zap.01`.
    public static let zap = Endpoint(inprocName: "zeromq.zap.01")
}
