import Foundation
import Text
import WatchConnectivity

/// What travels in one dictionary of a session: a body in JSON, and a few facts beside it.
///
/// The body is one `Data`, so that no property list ever sees a number of the app.
struct Packet: Sendable {
    /// What the body is.
    enum Kind: String, Sendable {
        case view, command, event, file
        /// The answers to a command.
        case reply, refused, expired, unknown
    }

    /// The kind (`k`).
    var kind: Kind
    /// The sender's version of the app's types (`v`).
    var version: Int
    /// The body (`b`): canonical JSON; for a refusal, its text.
    var body: [UInt8]
    /// The identity (`i`) of a command, of an event or of a file's transfer, and in the answer to the question which view is the
    /// present one, ``viewIdentity``: 16 bytes.
    var id: [UInt8]?
    /// When a command loses its meaning (`x`), in milliseconds since 1970 by the phone's clock.
    var expires: Int64?
    /// The phone's clock (`n`), in milliseconds since 1970.
    var phoneTime: Int64?

    init(
        _ kind: Kind, version: Int, body: [UInt8] = [], id: [UInt8]? = nil, expires: Int64? = nil,
        phoneTime: Int64? = nil
    ) {
        self.kind = kind
        self.version = version
        self.body = body
        self.id = id
        self.expires = expires
        self.phoneTime = phoneTime
    }

    /// The dictionary for a session.
    var dictionary: [String: Any] {
        var dictionary: [String: Any] = ["k": kind.rawValue, "v": version, "b": Data(body)]
        dictionary["i"] = id.map { Data($0) }
        dictionary["x"] = expires
        dictionary["n"] = phoneTime
        return dictionary
    }

    /// Reads a dictionary; nil for one that this layer did not make.
    init?(_ dictionary: [String: Any]) {
        guard let kind = (dictionary["k"] as? String).flatMap(Kind.init), let version = dictionary["v"] as? Int,
            let body = dictionary["b"] as? Data
        else { return nil }
        self.init(
            kind, version: version, body: Array(body), id: (dictionary["i"] as? Data).map { Array($0) },
            expires: dictionary["x"] as? Int64, phoneTime: dictionary["n"] as? Int64)
    }
}

extension Packet {
    /// The bytes that a dictionary needs beside the body.
    private static let envelopeByteCount = 512
    /// The most bytes of the JSON of what travels as a message or as user info.
    static let bodyByteCountMax = SessionBehaviour().messageByteCountMax - envelopeByteCount
    /// The most bytes of the JSON of a view.
    static let viewByteCountMax = SessionBehaviour().contextByteCountMax - envelopeByteCount

    /// Encodes a value of the app within the limit of its way.
    ///
    /// - Throws: ``CompanionError/tooLarge(what:byteCount:limit:)`` and `notEncodable`.
    static func encode(_ value: some Encodable, _ what: String, limit: Int = bodyByteCountMax)
        throws(CompanionError) -> [UInt8]
    {
        let bytes: [UInt8]
        do throws(CanonicalJSON.Failure) {
            bytes = try CanonicalJSON.encode(value)
        } catch {
            throw .notEncodable(what: what, reason: error.reason)
        }
        guard bytes.count <= limit else { throw .tooLarge(what: what, byteCount: bytes.count, limit: limit) }
        return bytes
    }

    /// Decodes the body.
    func decoded<Value: Decodable>(_ type: Value.Type) throws(CanonicalJSON.Failure) -> Value {
        try CanonicalJSON.decode(type, from: body)
    }

    /// What tells a view from others: the phone's time, and the FNV-1a hash of its bytes.
    var viewIdentity: [UInt8] {
        let hash = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return [UInt64(bitPattern: phoneTime ?? 0), hash].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
        }
    }

    /// The text of a refusal.
    var text: String { String(decoding: body, as: UTF8.self) }
}
