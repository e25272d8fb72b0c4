public import PoolModel

/// What a template of Home Assistant does to a payload, where it is no more than a place and a straight line.
///
/// Understood are `{{ value }}` and `{{ value_json… }}` with keys after dots or in brackets and places in lists; the
/// filters `float`, `int`, `round`, `default`, `d`, `is_defined`, `string`, `trim`, `multiply` and `add`; the functions
/// `float` and `int`; `+ - * /` with constants, and parentheses. What a template says of a missing value is not carried
/// over: a value that is not there stays absent. Source: Home Assistant, "Templating", and Jinja 3.1, "Template Designer Documentation".
public struct ValueTemplate: Hashable, Sendable {
    /// The place in the payload.
    public var path: ValuePath
    /// What the number there is multiplied with; finite, not 0.
    public var scale: Double
    /// What is then added; finite.
    public var offset: Double
    /// Whether the template rounds, which a mapping does not.
    public var isRounded: Bool

    /// Why a template is not understood.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// What stands in the way, in a few words.
        public var reason: String
        /// What stands in the way, in a few words.
        public var description: String { reason }
    }

    /// The most bytes of a template that are looked at.
    public static let byteCountMax = 4096

    init(path: ValuePath, scale: Double = 1, offset: Double = 0, isRounded: Bool = false) {
        self.path = path
        self.scale = scale
        self.offset = offset
        self.isRounded = isRounded
    }

    /// Reads a template; an empty one takes the whole payload.
    ///
    /// - Throws: ``Refusal`` for anything that is more than a place and a straight line.
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
        // "{{-" and "-}}" trim the text around an expression; there is none here. A minus of a number has no blank.
        if inner.hasPrefix("- ") { inner = inner.dropFirst() }
        if inner.hasSuffix("-") { inner = inner.dropLast() }
        guard !inner.contains("{{"), !inner.contains("}}"), !inner.contains("{%") else {
            throw Refusal(reason: "it is more than one expression")
        }
        var parser = TemplateParser(try TemplateToken.tokens(of: inner))
        return try parser.template()
    }
}
