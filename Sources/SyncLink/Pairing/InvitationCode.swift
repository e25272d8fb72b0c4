import SyncCore
public import ZeroMQ

/// What a hub gives to a person for one watch: where the hub is, its public key, and a key that may pair once.
///
/// It is a secret until it is used or has ended: whoever has it can pair a watch. Its text is
/// `psw1-<hub key>-<secret>-<check>-<endpoint>`, the keys as 64 hexadecimal digits, the check as the 8 of their and the
/// endpoint's CRC-32C.
public struct InvitationCode: Sendable {
    /// Where the hub listens.
    public var endpoint: Endpoint
    /// The hub's public key.
    public var hubKey: CurvePublicKey
    /// The secret key to pair with.
    public var secret: CurveSecretKey

    /// Creates a code.
    public init(endpoint: Endpoint, hubKey: CurvePublicKey, secret: CurveSecretKey) {
        self.endpoint = endpoint
        self.hubKey = hubKey
        self.secret = secret
    }

    private static let prefix = "psw1"

    /// The text to hand over.
    public var text: String {
        let keys = "\(Self.hexadecimal(hubKey.bytes))-\(Self.hexadecimal(secret.bytes))"
        return "\(Self.prefix)-\(keys)-\(Self.check(keys, endpoint.text))-\(endpoint.text)"
    }

    /// Reads a text; blanks round it do not matter.
    ///
    /// - Throws: ``LinkError/invitation(_:)`` with what is wrong; the secret is not part of it.
    public init(_ text: String) throws(LinkError) {
        let trimmed = text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
        let parts = trimmed.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == Self.prefix else {
            throw .invitation("it has the form \(Self.prefix)-<hub key>-<secret>-<check>-<endpoint>")
        }
        guard Self.check("\(parts[1])-\(parts[2])", parts[4]) == parts[3] else {
            throw .invitation("its check does not match; copy it again, whole")
        }
        do {
            guard let hubBytes = PeerKey(hexadecimal: parts[1])?.bytes,
                let secretBytes = PeerKey(hexadecimal: parts[2])?.bytes
            else { throw LinkError.invitation("its keys are not 64 hexadecimal digits each") }
            self.init(
                endpoint: try Endpoint(parts[4]), hubKey: try CurvePublicKey(bytes: hubBytes),
                secret: try CurveSecretKey(bytes: secretBytes))
        } catch {
            throw .invitation("\(error)")
        }
    }

    private static func check(_ keys: String, _ endpoint: String) -> String {
        let digits = String(CRC32C.checksum("\(keys)-\(endpoint)".utf8), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
