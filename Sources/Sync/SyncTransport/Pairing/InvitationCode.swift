public import SyncCore
public import ZeroMQ

/// A code with which one watch can pair: the hub's endpoint, its public key, and a secret key that may pair once.
///
/// It is secret until it is used or expires: anybody who has it can pair a watch. Its text is `psw2-<app>-<hub
/// key>-<secret>-<check>-<endpoint>`. The keys are 64 hexadecimal digits each; the check is the CRC-32C of everything
/// else after the first `-`, as 8 digits. Texts from before applications had names begin with `psw1-` and have no
/// name.
public struct InvitationCode: Sendable {
    /// The application that the hub is a part of; nil if the text does not say.
    public var app: AppName?
    /// The hub's endpoint.
    public var endpoint: Endpoint
    /// The hub's public key.
    public var hubKey: CurvePublicKey
    /// The secret key to pair with.
    public var secret: CurveSecretKey

    /// Creates a code.
    public init(app: AppName?, endpoint: Endpoint, hubKey: CurvePublicKey, secret: CurveSecretKey) {
        self.app = app
        self.endpoint = endpoint
        self.hubKey = hubKey
        self.secret = secret
    }

    private static let prefix = "psw2"
    private static let unnamedPrefix = "psw1"

    /// The text to pass on.
    public var text: String {
        let keys = [Hexadecimal.text(hubKey.bytes), Hexadecimal.text(secret.bytes)]
        let before = (app.map { [$0.text] } ?? []) + keys
        let parts = [app == nil ? Self.unnamedPrefix : Self.prefix] + before
        return (parts + [Self.check(before, endpoint.text), endpoint.text]).joined(separator: "-")
    }

    /// Reads a text; white space around it is ignored.
    ///
    /// - Throws: ``LinkError/invitation(_:)`` with the reason, which does not contain the secret.
    public init(_ text: String) throws(LinkError) {
        let trimmed = text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
        let isNamed = !trimmed.hasPrefix(Self.unnamedPrefix + "-")
        // The parts before the check: the prefix, the application if it is named, and the keys.
        let count = isNamed ? 4 : 3
        let parts = trimmed.split(separator: "-", maxSplits: count + 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == count + 2, !isNamed || parts[0] == Self.prefix else {
            throw .invitation("it has the form \(Self.prefix)-<app>-<hub key>-<secret>-<check>-<endpoint>")
        }
        guard Self.check(Array(parts[1..<count]), parts[count + 1]) == parts[count] else {
            throw .invitation("its check does not match; copy it again, whole")
        }
        do {
            let app = isNamed ? AppName(parts[1]) : nil
            if isNamed, app == nil { throw LinkError.invitation("\"\(parts[1])\" is not an application name") }
            guard let hubBytes = PeerKey(hexadecimal: parts[count - 2])?.bytes,
                let secretBytes = PeerKey(hexadecimal: parts[count - 1])?.bytes
            else { throw LinkError.invitation("its keys are not 64 hexadecimal digits each") }
            self.init(
                app: app, endpoint: try Endpoint(parts[count + 1]), hubKey: try CurvePublicKey(bytes: hubBytes),
                secret: try CurveSecretKey(bytes: secretBytes))
        } catch {
            throw .invitation("\(error)")
        }
    }

    private static func check(_ before: [String], _ endpoint: String) -> String {
        let text = (before + [endpoint]).joined(separator: "-")
        return Hexadecimal.text(CRC32C.checksum(text.utf8))
    }
}
