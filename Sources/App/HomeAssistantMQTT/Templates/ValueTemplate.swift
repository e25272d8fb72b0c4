public import Text

/// The effect of a Home Assistant template on a payload, if it is no more than a path, a linear function and conditions.
///
/// Supported are `{{ value }}` and `{{ value_json… }}` with keys after dots, in brackets or in `get()`, and list
/// indexes; the filters `float`, `int`, `round`, `default`, `d`, `is_defined`, `string`, `trim`, `lower`, `upper`,
/// `bool`, `is_number`, `multiply`, `add`, `first`, `last` and `replace(',', '.')`; `split()` of a text and an index; the functions `float`, `int` and `iif`; `+ - * /` with constants, and
/// parentheses; `… if … else …`, `{% if %}`, `{% elif %}`, `{% else %}` and `{% set %}`; comparisons, `in`, `is defined`
/// and the like, `and`, `not`, and `or` of words at one place. Whatever a template says instead of a missing value,
/// such as `else 0` or `default(0)`, is ignored: a missing value stays absent. Source: Home Assistant, "Templating", and
/// Jinja 3.1, "Template Designer Documentation".
public struct ValueTemplate: Hashable, Sendable {
    /// The path in the payload.
    public var path: ValuePath
    /// The factor for the number there; finite, not 0.
    public var scale: Double
    /// The number added afterwards; finite.
    public var offset: Double
    /// Whether the template rounds, which a mapping does not.
    public var isRounded: Bool
    /// What the payload must contain for the value to count.
    public var conditions: [PayloadCondition] = []

    /// Why a template is not supported.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The obstacle, in a few words.
        public var reason: String
        /// The obstacle, in a few words.
        public var description: String { reason }
    }

    /// The most bytes of a template that is read.
    public static let byteCountMax = 4096

    init(path: ValuePath, scale: Double = 1, offset: Double = 0, isRounded: Bool = false) {
        self.path = path
        self.scale = scale
        self.offset = offset
        self.isRounded = isRounded
    }

    /// Reads a template; an empty one means the whole payload.
    ///
    /// - Throws: ``Refusal`` for anything that is more than a path, a linear function and conditions.
    public static func read(_ text: String) throws(Refusal) -> ValueTemplate {
        guard let term = try term(of: text) else { return ValueTemplate(path: .whole) }
        return try term.value()
    }

    /// Reads the template of an availability; an empty one means the whole payload.
    ///
    /// - Parameters:
    ///   - text: The template.
    ///   - online: The word that it gives for "available".
    ///   - offline: The word that it gives for "not available".
    /// - Returns: The place in the payload, and the words there; see `AvailabilitySource`.
    /// - Throws: ``Refusal`` for anything that does not depend on one place.
    package static func readAvailability(
        _ text: String, online: String, offline: String
    ) throws(Refusal) -> (path: ValuePath, online: [String], offline: [String]) {
        guard let term = try term(of: text) else { return (.whole, [online], [offline]) }
        return try term.availability(online: online, offline: offline)
    }

    private static func term(of text: String) throws(Refusal) -> TemplateTerm? {
        guard text.utf8.count <= byteCountMax else {
            throw Refusal(reason: "it is longer than \(byteCountMax) bytes")
        }
        let trimmed = text.trimmedOfBlanks
        if trimmed.isEmpty { return nil }
        guard trimmed.contains("{{") || trimmed.contains("{%") else {
            throw Refusal(reason: "it is not one expression in {{ }}")
        }
        var document = try TemplateDocument(trimmed)
        return try document.term()
    }
}
