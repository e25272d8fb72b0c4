public import PoolModel

/// The format of one line about a device, such as `{name} {temperature} {status}`: text with fields in braces.
///
/// `{{` and `}}` are braces. Everything else is written unchanged.
public struct GlanceFormat: Hashable, Sendable {
    private enum Piece: Hashable {
        case text(String)
        case field(Field)
        case quantity(Quantity)
    }

    /// A field of a format; beside these each quantity is one, by its key.
    public enum Field: String, CaseIterable, Sendable {
        /// What to know first, in one sentence: of the worst pool, named if there are several.
        case sentence
        /// The name of the device.
        case name
        /// The name of its pool.
        case pool
        /// The headline in capitals: `OK`, `WARNING`, `CRITICAL`, `WAS CRITICAL`, `STALE`, `OFFLINE`, `NO LINK`, `NOT PAIRED`, …
        case status
        /// The sign of the headline: `●`, `▲`, `◆`, `◌`, `○`.
        case sign
        /// The age of the newest value, such as `4 s` or `3 min`.
        case age
        /// How many alerts are open.
        case alerts
        /// The state of the link: `linked`, `connecting`, `lost`, `refused`, `unpaired`.
        case link
        /// Where this comes from: `hub now`, or `kept copy, 3 min old`.
        case source
        /// How many of this watch's edits wait for the hub.
        case edits
        /// How many conflicts are open.
        case conflicts
        /// The revision of the configuration.
        case revision
    }

    /// The names of all fields.
    static let names: [String] = {
        var names = Field.allCases.map(\.rawValue)
        names.insert(contentsOf: Quantity.allCases.map(\.rawValue), at: 5)
        return names
    }()
    /// All fields, as they are written.
    public static let fields = names.map { "{\($0)}" }.joined(separator: " ")

    private let pieces: [Piece]

    /// Reads a format.
    ///
    /// - Throws: ``GlanceFormatError`` at the first brace that belongs to no field.
    public init(_ format: String) throws(GlanceFormatError) {
        var pieces: [Piece] = []
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            guard character == "{" || character == "}" else {
                text.append(character)
                continue
            }
            if rest.first == character {
                text.append(rest.removeFirst())
                continue
            }
            guard character == "{", let end = rest.firstIndex(of: "}") else { throw .singleBrace(character) }
            let name = String(rest[..<end])
            guard let piece = Field(rawValue: name).map(Piece.field) ?? Quantity(rawValue: name).map(Piece.quantity)
            else { throw .unknownField(name) }
            pieces += [.text(text), piece]
            text = ""
            rest = rest[rest.index(after: end)...]
        }
        self.pieces = pieces + [.text(text)]
    }

    /// The line of a glance, without a line end.
    ///
    /// - Parameters:
    ///   - glance: The glance.
    ///   - status: The text for `{status}`; nil for the headline of the glance.
    ///   - isASCII: Whether to write nothing but ASCII.
    /// - Returns: The line.
    public func text(_ glance: Glance, status: String? = nil, isASCII: Bool = false) -> String {
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .mono, isASCII: isASCII))
        return pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(.status): status ?? Headline(glance).word
            case .field(let field): look.plain(Self.text(field, of: glance, look: look))
            case .quantity(let quantity): look.plain(Self.value(quantity, of: glance, isASCII: isASCII))
            }
        }.joined()
    }

    /// A value with its unit and its mark: `▲` and `▼` for one above or below its limits, `!` for one that is not
    /// fresh; a dash without a value.
    public static func value(_ quantity: Quantity, of glance: Glance, isASCII: Bool = false) -> String {
        guard let gauge = glance.gauges.first(where: { $0.quantity == quantity }), let value = gauge.shownValue else {
            return isASCII ? "-" : "–"
        }
        let unit = isASCII ? quantity.asciiUnit : quantity.unit
        let mark =
            switch gauge.deviation {
            case _ where gauge.freshness != .live: "!"
            case .high: isASCII ? "^" : "▲"
            case .low: isASCII ? "v" : "▼"
            case nil: ""
            }
        return quantity.text(value) + (unit.isEmpty ? "" : " \(unit)") + mark
    }

    private static func text(_ field: Field, of glance: Glance, look: ResolvedTheme) -> String {
        let unknown = look.isASCII ? "-" : "–"
        switch field {
        case .sentence: return glance.sentence().sanitized
        case .name: return glance.deviceName?.sanitized.nonEmpty ?? unknown
        case .pool: return glance.poolName?.sanitized.nonEmpty ?? unknown
        case .status: return Headline(glance).word
        case .sign: return String(look.glyph(Headline(glance)))
        case .age: return glance.ageSeconds.map(FaceFormatter.age) ?? unknown
        case .alerts: return String(glance.alerts.unacknowledgedCount)
        case .link: return word(glance.link)
        case .source:
            return FaceFormatter.source(glance.source ?? (glance.isFromHub ? .hub : .kept(reason: "")), of: glance)
        case .edits: return String(glance.pendingEdits.count)
        case .conflicts: return String(glance.conflicts.count)
        case .revision: return glance.revision.map(String.init) ?? unknown
        }
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

/// Why a format cannot be used.
@nonexhaustive public enum GlanceFormatError: Error, Equatable, Sendable {
    /// There is no such field.
    case unknownField(String)
    /// A brace belongs to no field.
    case singleBrace(Character)
}

extension GlanceFormatError: CustomStringConvertible {
    /// What is wrong and which fields there are, for a person.
    public var description: String {
        switch self {
        case .unknownField(let name):
            let near = NearMiss.nearest(to: name, in: GlanceFormat.names)
            let advice = near.map { "did you mean {\($0)}? There are: " } ?? "there are: "
            return "--format has no field {\(name)}; \(advice)\(GlanceFormat.fields)"
        case .singleBrace(let brace):
            return "--format has a single \(brace): double it, or use one of \(GlanceFormat.fields)"
        }
    }
}
