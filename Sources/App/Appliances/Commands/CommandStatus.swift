/// A command of a watch: one action of one appliance, valid until a time of the phone's clock.
package struct Command: Hashable, Codable, Identified {
    package typealias ID = HexadecimalID<Command>

    /// Made by the watch, 16 bytes; a repeat has the same one.
    package var id: ID
    /// What acts.
    package var appliance: Appliance.ID
    /// What it does.
    package var action: Action
    /// When it must have been carried out, by the phone's clock; afterwards it never is (T35).
    package var until: Timestamp

    /// Creates a command.
    package init(id: ID, appliance: Appliance.ID, action: Action, until: Timestamp) {
        self.id = id
        self.appliance = appliance
        self.action = action
        self.until = until
    }
}

/// Where a command stands.
///
/// As text and in JSON it is a word, and its value where it has one: `confirmed 118`, `refused hubOffline`.
package enum CommandStatus: Hashable, Sendable {
    /// Nobody asked yet.
    case idle
    /// The watch asked, and has no reply.
    case asked
    /// The phone passed it on.
    case sent
    /// The device said so, this many milliseconds after the key.
    case confirmed(milliseconds: Int64)
    /// It was passed on, and the device did not say so in time.
    case unconfirmed
    /// It was not carried out.
    case refused(Reason)
    /// It came too late, and was not carried out.
    case expired
    /// The link broke before the reply.
    case unknown

    private static let plain: [(word: String, status: CommandStatus)] = [
        ("idle", .idle), ("asked", .asked), ("sent", .sent), ("unconfirmed", .unconfirmed), ("expired", .expired),
        ("unknown", .unknown),
    ]
}

extension CommandStatus: TextCodable {
    /// Reads a status.
    package init(_ text: String) throws(ModelProblem) {
        if let row = Self.plain.first(where: { $0.word == text }) {
            self = row.status
            return
        }
        let word = text.prefix { $0 != " " }
        let value = text.dropFirst(word.count + 1)
        if word == "confirmed", let milliseconds = Int64(value), milliseconds >= 0 {
            self = .confirmed(milliseconds: milliseconds)
        } else if word == "refused" {
            self = .refused(try Reason(String(value)))
        } else {
            throw ModelProblem("\(Excerpt(text)) is no status of a command")
        }
    }

    /// The status as programs read it.
    package var text: String {
        switch self {
        case .confirmed(let milliseconds): "confirmed \(milliseconds)"
        case .refused(let reason): "refused \(reason.text)"
        case .idle, .asked, .sent, .unconfirmed, .expired, .unknown:
            Self.plain.first { $0.status == self }?.word ?? ""
        }
    }
}

extension CommandStatus {
    private static let sentWords = Phrase("sent", "envoyé", "보냄")
    private static let unconfirmedWords = Phrase(
        "sent, and nothing said so", "envoyé, sans confirmation", "보냈지만 확인되지 않음")
    private static let expiredWords = Phrase(
        "too late, nothing was done", "trop tard, rien n'est fait", "너무 늦어 실행되지 않음")
    private static let unknownWords = Phrase("its end is not known yet", "issue encore inconnue", "결과를 아직 알 수 없음")

    /// Where the command stands, for people.
    package func words(in language: HomeLanguage = .english, at now: Timestamp) -> String {
        switch self {
        case .idle: "–"
        case .asked: "…"
        case .sent: "→ \(Self.sentWords.text(in: language))"
        case .confirmed(let milliseconds): "✓ \(milliseconds) ms"
        case .unconfirmed: "? \(Self.unconfirmedWords.text(in: language))"
        case .refused(let reason): "✗ \(reason.words(in: language, now: now))"
        case .expired: "✗ \(Self.expiredWords.text(in: language))"
        case .unknown: "? \(Self.unknownWords.text(in: language))"
        }
    }
}
