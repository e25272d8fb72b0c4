/// A question of libzmq to the ZAP handler: whether a peer may come in.
///
/// The handler is a REP socket bound to ``Endpoint/zap`` in the same context, before any server is bound. It must
/// answer each question; a handshake waits until it does.
/// Source: RFC 27, version 1.0.
public struct ZAPRequest: Hashable, Sendable {
    /// What the peer shows to prove who it is.
    public enum Credentials: Hashable, Sendable {
        /// Nothing (the NULL mechanism).
        case none
        /// The public key of which the handshake proved that the peer has the secret half.
        case curve(CurvePublicKey)
        /// Another mechanism; its credentials may be a password and are not kept.
        case other(mechanism: String)
    }

    /// The bytes that the reply must repeat.
    public let requestID: [UInt8]
    /// The server's ``SocketOptions/Security`` domain.
    public let domain: String
    /// The peer's address without its port.
    public let address: String
    /// What the peer shows.
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
        // The fifth frame is the server's own routing id and not, as RFC 27 has it, the peer's: of no use to anybody.
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
    /// Only version 1.0 is known.
    case unknownVersion([UInt8])
    /// CURVE shows exactly one key of 32 bytes.
    case invalidCurveKey
}

extension ZAPRequestError: CustomStringConvertible {
    /// What was expected and what came.
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
    /// Where libzmq asks for the ZAP handler: `inproc://zeromq.zap.01`.
    public static let zap = Endpoint(inprocName: "zeromq.zap.01")
}
