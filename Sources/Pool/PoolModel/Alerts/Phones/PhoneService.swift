/// A service that shows notices on phones: one row of ``table``.
///
/// A further service is one more row, with its case of ``AlertChannel`` and its request.
package struct PhoneService: Sendable {
    /// What a person gives to use the service.
    package struct Field: Sendable {
        /// The name in commands, in JSON and among the stored secrets.
        package let name: String
        /// What it is, for lists and questions.
        package let meaning: String
        /// Whether it is stored as a secret, and never shown.
        package let isSecret: Bool
        /// Whether the service needs it.
        package let isRequired: Bool
        /// What a valid value looks like.
        package let expected: String
        /// Whether a value is valid.
        package let isValid: @Sendable (String) -> Bool

        init(
            _ name: String, _ meaning: String, isSecret: Bool = false, isRequired: Bool = false, expected: String,
            isValid: @escaping @Sendable (String) -> Bool
        ) {
            self.name = name
            self.meaning = meaning
            self.isSecret = isSecret
            self.isRequired = isRequired
            self.expected = expected
            self.isValid = isValid
        }
    }

    /// What to do about an answer that is no success.
    struct Remedy: Sendable {
        /// The status of the answer; nil for any.
        let status: Int?
        /// A part of the service's words, in small letters; empty for any.
        let words: String
        /// What a person does, as a clause.
        let remedy: String

        init(_ status: Int? = nil, words: String = "", _ remedy: String) {
            self.status = status
            self.words = words
            self.remedy = remedy
        }
    }

    /// The channel.
    package let channel: AlertChannel
    /// The name by which people know it.
    package let name: String
    /// The address of the service, used unless the settings name another server.
    package let server: String
    /// Its fields, without ``serverField``.
    package let fields: [Field]
    /// What it gets with each notice, for people.
    package let receives: String
    /// The maximum size of a title, in bytes of UTF-8.
    let titleByteCountMax: Int
    /// The maximum size of a text, in bytes of UTF-8.
    let textByteCountMax: Int
    /// Makes the request for a message; its text fits the limits.
    let form: @Sendable (PhoneMessage, PhoneAccount) -> PhoneRequest
    /// Whether the body of an answer says that the message was accepted.
    let isAccepted: @Sendable (JSONValue) -> Bool
    /// What the service says is wrong, from the body of its answer; nil if it says nothing.
    let complaint: @Sendable (JSONValue) -> String?
    /// How many seconds the service asks to wait, from the body of its answer; nil if it does not ask.
    let wait: @Sendable (JSONValue) -> Int?
    /// What to do; the first row that matches counts.
    let remedies: [Remedy]

    /// The field of each service that names another server.
    package static let serverField = Field(
        "server", "the address of your own server",
        expected: "http:// or https:// and a host, without a user name, a password and a question mark"
    ) { !$0.contains("?") && $0.utf8.count <= 2048 && WebhookAddressProblem.find(in: $0) == nil }

    /// All fields.
    package var allFields: [Field] { fields + [Self.serverField] }
    /// The fields that the settings contain.
    package var plainFields: [Field] { allFields.filter { !$0.isSecret } }
    /// The fields that the hub stores as secrets.
    package var secretFields: [Field] { allFields.filter(\.isSecret) }

    /// The address to which settings send notices, without a slash at its end.
    package func address(in settings: PhoneSettings) -> String {
        var address = settings.fields[Self.serverField.name] ?? server
        while address.hasSuffix("/") { address.removeLast() }
        return address
    }

    /// What leaves the house with each notice, and who gets it, in one sentence.
    package func disclosure(of settings: PhoneSettings) -> String {
        let address = address(in: settings)
        let isPlain = address.lowercased().hasPrefix("http://")
        return "\(name) at \(address) gets \(receives)" + (isPlain ? ", over a connection that is not encrypted" : "")
            + "."
    }

    /// Checks settings; unknown fields are ignored, because another version may know them.
    ///
    /// - Throws: The first ``AlertSettingsError`` in the order of the fields.
    package func check(_ settings: PhoneSettings) throws(AlertSettingsError) {
        for field in plainFields {
            guard let value = settings.fields[field.name] else {
                if field.isRequired { throw .phoneFieldMissing(service: name, field: field.name, field.meaning) }
                continue
            }
            guard field.isValid(value) else {
                let mayHoldPassword = field.name == Self.serverField.name && value.contains("@")
                throw .phoneFieldInvalid(
                    service: name, field: field.name, value: mayHoldPassword ? nil : value, expected: field.expected)
            }
        }
    }

    /// The request for a notice.
    ///
    /// - Parameters:
    ///   - notice: The notice.
    ///   - language: The language of its texts.
    ///   - account: The settings and the secrets.
    /// - Returns: The request.
    package func request(
        for notice: AlertNotice, in language: TextLanguage, to account: PhoneAccount
    ) -> PhoneRequest {
        var message = PhoneMessage(notice, in: language)
        message.title = message.title.cut(toBytes: titleByteCountMax)
        message.text = message.text.cut(toBytes: textByteCountMax)
        return form(message, account)
    }

    /// The row of a channel; nil if the channel is no such service.
    package static func of(_ channel: AlertChannel) -> PhoneService? { table.first { $0.channel == channel } }
}

extension AlertChannel {
    /// The service of this channel; nil if it does not reach phones.
    package var phoneService: PhoneService? { PhoneService.of(self) }
}

/// The settings of a service together with its secrets.
package struct PhoneAccount: Sendable {
    /// The values of the fields, with the secrets.
    let values: [String: String]

    /// Creates an account.
    package init(_ settings: PhoneSettings, secrets: [String: String]) {
        values = settings.fields.merging(secrets) { $1 }
    }

    /// The value of a field; empty if there is none.
    subscript(_ name: String) -> String { values[name] ?? "" }
}

/// An HTTP POST to a service.
package struct PhoneRequest: Equatable, Sendable {
    /// What is appended to the address of the server; it may contain a secret.
    package var path: String
    /// The headers, which may contain a secret.
    package var headers: [String: String]
    /// The body.
    package var body: [UInt8]

    static func json(_ body: some Encodable, path: String, headers: [String: String] = [:]) -> PhoneRequest {
        PhoneRequest(
            path: path, headers: headers.merging(["Content-Type": "application/json"]) { $1 },
            body: CanonicalJSON.bytes(ofEncodable: body))
    }

    /// The body of a form; empty values are left out.
    static func form(_ values: [(String, String)], path: String) -> PhoneRequest {
        let text = values.filter { !$0.1.isEmpty }.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
        return PhoneRequest(
            path: path, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Array(text.utf8))
    }

    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let isPlain = byte < 0x80 && (PhoneFieldRules.isLetterOrDigit(byte) || "-._~".utf8.contains(byte))
            if isPlain {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return encoded
    }
}

/// What the values of fields may contain.
enum PhoneFieldRules {
    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// Whether a text has so many bytes, all of them ASCII letters, digits or these signs.
    static func isWord(_ text: String, _ counts: ClosedRange<Int>, signs: String = "") -> Bool {
        counts.contains(text.utf8.count) && text.utf8.allSatisfy { isLetterOrDigit($0) || signs.utf8.contains($0) }
    }

    /// Whether a text has so many bytes, all of them visible ASCII characters.
    static func isVisible(_ text: String, _ counts: ClosedRange<Int>) -> Bool {
        counts.contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension String {
    /// The text, cut between characters to so many bytes of UTF-8; an ellipsis shows that it was cut.
    fileprivate func cut(toBytes count: Int) -> String {
        guard utf8.count > count else { return self }
        var text = self
        while text.utf8.count > count - "…".utf8.count { text.removeLast() }
        return text + "…"
    }
}
