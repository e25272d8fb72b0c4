public import PoolModel

/// The effect of a Home Assistant template on a payload, if it is no more than a path and a linear function.
///
/// Supported are `{{ value }}` and `{{ value_json… }}` with keys after dots or in brackets and list indexes; the
/// filters `float`, `int`, `round`, `default`, `d`, `is_defined`, `string`, `trim`, `multiply` and `add`; the
/// functions `float` and `int`; `+ - * /` with constants, and parentheses. The template's rule for a missing value is
/// ignored: a missing value stays absent. Source: Home Assistant, "Templating", and Jinja 3.1, "Template Designer
/// Documentation".
public struct ValueTemplate: Hashable, Sendable {
    /// The path in the payload.
    public var path: ValuePath
    /// The factor for the number there; finite, not 0.
    public var scale: Double
    /// The number added afterwards; finite.
    public var offset: Double
    /// Whether the template rounds, which a mapping does not.
    public var isRounded: Bool

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
    /// - Throws: ``Refusal`` for anything that is more than a path and a linear function.
    public static func read(_ text: String) throws(Refusal) -> ValueTemplate {
        guard text.utf8.count <= byteCountMax else {
            throw Refusal(reason: "it is longer than \(byteCountMax) bytes")
        }
        let trimmed = text.trimmedOfBlanks
        if trimmed.isEmpty { return ValueTemplate(path: .whole) }
        guard trimmed.hasPrefix("{{"), trimmed.hasSuffix("}}"), trimmed.utf8.count >= 4 else {
            throw Refusal(reason: trimmed.contains("{%") ? "it has statements" : "it is not one expression in {{ }}")
        }
        var inner = trimmed.dropFirst(2).dropLast(2)
        // "{{-" and "-}}" trim the text around an expression, and there is none here. A minus sign of a number has no
        // blank after it.
        if inner.hasPrefix("- ") { inner = inner.dropFirst() }
        if inner.hasSuffix("-") { inner = inner.dropLast() }
        guard !inner.contains("{{"), !inner.contains("}}"), !inner.contains("{%") else {
            throw Refusal(reason: "it is more than one expression")
        }
        var parser = TemplateParser(try TemplateToken.tokens(of: inner))
        return try parser.template()
    }
}
