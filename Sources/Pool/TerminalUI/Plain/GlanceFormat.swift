public import PoolModel

/// A pattern for one line about a device, such as `%s %n %t %p %c %o %a`.
///
/// | field | text |
/// |---|---|
/// | `%s` | the headline in capitals: `OK`, `WARNING`, `CRITICAL`, `STALE`, `OFFLINE`, `NO LINK`, `NOT PAIRED`, … |
/// | `%S` | the sign of the headline: `●`, `▲`, `◆`, `◌`, `○` |
/// | `%n` | the name of the device, `--` without one |
/// | `%t` | the temperature in °C, without the unit |
/// | `%p` | the pH |
/// | `%c` | the chlorine in mg/L, without the unit |
/// | `%o` | the redox potential in mV, without the unit |
/// | `%a` | the age of the newest value, such as `4 s` or `3 min`, `--` if it is not known |
/// | `%l` | the link: `linked`, `connecting`, `lost`, `refused`, `unpaired` |
/// | `%h` | where this comes from: `hub now`, or `kept copy, 3 min old` |
/// | `%e` | how many of this watch's edits wait for the hub |
/// | `%x` | how many conflicts are open |
/// | `%w` | how many alerts are open |
/// | `%r` | the revision of the configuration, `--` before the first one |
/// | `%%` | a percent sign |
///
/// A value that does not exist is `--`; one that is not fresh is followed by `?`, so that no status bar shows an old
/// value as a present one. Everything else in the pattern is written unchanged.
public struct GlanceFormat: Hashable, Sendable {
    private enum Piece: Hashable {
        case text(String)
        case field(Field)
    }

    /// A field of a pattern.
    public enum Field: Character, CaseIterable, Sendable {
        /// The headline in capitals.
        case status = "s"
        /// The sign of the headline.
        case sign = "S"
        /// The name of the device.
        case name = "n"
        /// The temperature in °C.
        case temperature = "t"
        /// The pH.
        case ph = "p"
        /// The chlorine in mg/L.
        case chlorine = "c"
        /// The redox potential in mV.
        case orp = "o"
        /// The age of the newest value.
        case age = "a"
        /// The state of the link.
        case link = "l"
        /// The source of the glance.
        case source = "h"
        /// How many edits wait.
        case edits = "e"
        /// How many conflicts are open.
        case conflicts = "x"
        /// How many alerts are open.
        case alerts = "w"
        /// The revision of the configuration.
        case revision = "r"

        /// The meaning of the field, in a few words.
        public var meaning: String {
            switch self {
            case .status: "headline"
            case .sign: "sign of the headline"
            case .name: "device"
            case .temperature: "temperature in °C"
            case .ph: "pH"
            case .chlorine: "chlorine in mg/L"
            case .orp: "redox potential in mV"
            case .age: "age of the newest value"
            case .link: "link"
            case .source: "hub now or kept copy"
            case .edits: "edits that wait"
            case .conflicts: "open conflicts"
            case .alerts: "open alerts"
            case .revision: "revision"
            }
        }
    }

    private let pieces: [Piece]

    /// Reads a pattern.
    ///
    /// Fails with ``GlanceFormatError`` at the first `%` that no field follows.
    public init(_ pattern: String) throws(GlanceFormatError) {
        var pieces: [Piece] = []
        var text = ""
        var rest = pattern[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            guard let letter = rest.popFirst() else { throw .unfinished(pattern: pattern) }
            if letter == "%" {
                text.append(letter)
            } else if let field = Field(rawValue: letter) {
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(.field(field))
            } else {
                throw .unknownField(letter, pattern: pattern)
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        self.pieces = pieces
    }

    /// The line of a glance, without a line end.
    public func text(_ glance: Glance, isASCII: Bool = false) -> String {
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .mono, isASCII: isASCII))
        return pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(let field): look.plain(Self.text(field, of: glance, look: look))
            }
        }.joined()
    }

    private static func text(_ field: Field, of glance: Glance, look: ResolvedTheme) -> String {
        switch field {
        case .status: Headline(glance).word
        case .sign: String(look.glyph(Headline(glance)))
        case .name: glance.deviceName?.sanitized.nonEmpty ?? "--"
        case .temperature: value(.temperature, of: glance)
        case .ph: value(.ph, of: glance)
        case .chlorine: value(.chlorine, of: glance)
        case .orp: value(.orp, of: glance)
        case .age: glance.ageSeconds.map(FaceFormatter.age) ?? "--"
        case .link: word(glance.link)
        case .source: FaceFormatter.source(glance.source ?? (glance.isFromHub ? .hub : .kept(reason: "")), of: glance)
        case .edits: String(glance.pendingEdits.count)
        case .conflicts: String(glance.conflicts.count)
        case .alerts: String(glance.alerts.alerts.count + glance.alerts.moreCount)
        case .revision: glance.revision.map(String.init) ?? "--"
        }
    }

    private static func value(_ quantity: Quantity, of glance: Glance) -> String {
        guard let gauge = glance.gauges.first(where: { $0.quantity == quantity }), let value = gauge.shownValue else {
            return "--"
        }
        return quantity.text(value) + (gauge.mark.isOld ? "?" : "")
    }

    private static func word(_ link: LinkState) -> String {
        switch link {
        case .unpaired: "unpaired"
        case .connecting: "connecting"
        case .linked: "linked"
        case .lost: "lost"
        case .refused: "refused"
        }
    }
}

/// Why a pattern cannot be used.
@nonexhaustive public enum GlanceFormatError: Error, Equatable, Sendable {
    /// No field has this letter.
    case unknownField(Character, pattern: String)
    /// The pattern ends with a single percent sign.
    case unfinished(pattern: String)
}

extension GlanceFormatError: CustomStringConvertible {
    /// What is wrong and which fields there are, for a person.
    public var description: String {
        let fields = GlanceFormat.Field.allCases.map { "%\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
        switch self {
        case .unknownField(let letter, let pattern):
            return "there is no field %\(letter) in the format \"\(pattern)\"; there are: \(fields), %% a percent sign"
        case .unfinished(let pattern):
            return "the format \"\(pattern)\" ends with a lone %; write %% for a percent sign, or one of: \(fields)"
        }
    }
}
