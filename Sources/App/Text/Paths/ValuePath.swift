/// A place in a payload: all of it, or a path through its JSON.
///
/// The text form is for people: `Lamp.Power`, `[0].latest.value`, `object["room temp"]`; empty for the whole
/// payload. A number in brackets is an index in a list, from 0, or from the end, `[-1]` being the last element;
/// `[name=hall]` is the first element of a list whose member `name` is `hall`; `[*]` is each element, one sample after the
/// other. A key or word with characters other than letters, digits, `_`, `-` and `$` is put into brackets and
/// quotation marks.
public struct ValuePath: Hashable, Sendable {
    /// One step of the path.
    public enum Step: Hashable, Sendable {
        /// The member of an object with this key.
        case key(String)
        /// The element of a list, by its index from 0; a negative one counts from the end, −1 being the last.
        case index(Int)
        /// The first element of a list whose member with this key equals this word; without case, and numbers by
        /// value.
        case element(key: String, word: String)
        /// Each element of a list: they are samples of different times.
        case each
    }

    /// The steps; none for the whole payload.
    public var steps: [Step]

    /// Creates a path.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// The whole payload, such as a bare number.
    public static let whole = ValuePath([])

    /// The largest index: no payload that is read has more elements.
    public static let indexMax = 65_535

    /// The list whose elements are samples; nil without `[*]`.
    package var sampleList: ValuePath? {
        steps.firstIndex(of: .each).map { ValuePath(Array(steps[..<$0])) }
    }

    /// The path in one of the samples; the path itself without `[*]`.
    package func inSample(_ index: Int) -> ValuePath {
        ValuePath(steps.map { $0 == .each ? .index(index) : $0 })
    }
}

extension ValuePath {
    /// Reads the text form; surrounding blanks are ignored.
    ///
    /// - Throws: ``NotationError`` with the position of the first error.
    public init(text: some StringProtocol) throws(NotationError) {
        var cursor = NotationCursor(text)
        cursor.skipBlanks()
        self = try ValuePath(from: &cursor)
        cursor.skipBlanks()
        guard cursor.isAtEnd else { throw cursor.error(.expected("a dot, a bracket or the end of the path")) }
    }

    /// Reads the longest possible path.
    package init(from cursor: inout NotationCursor) throws(NotationError) {
        var steps: [Step] = []
        while true {
            if cursor.skip("[") {
                steps.append(try Self.bracketedStep(from: &cursor))
            } else if steps.isEmpty {
                guard let key = cursor.bareWord() else { break }
                steps.append(.key(key))
            } else if cursor.skip(".") {
                guard let key = cursor.bareWord() else {
                    throw cursor.error(.expected("a key after the dot; quote it, as in [\"…\"], if it has other signs"))
                }
                steps.append(.key(key))
            } else {
                break
            }
        }
        self.init(steps)
    }

    private static func bracketedStep(from cursor: inout NotationCursor) throws(NotationError) -> Step {
        let step: Step
        let start = cursor
        if let key = try cursor.quotedText() {
            step = cursor.skip("=") ? .element(key: key, word: try word(from: &cursor)) : .key(key)
        } else if let key = cursor.bareWord(), cursor.skip("=") {
            step = .element(key: key, word: try word(from: &cursor))
        } else {
            cursor = start
            if cursor.skip("*") {
                step = .each
            } else {
                let isFromEnd = cursor.skip("-")
                guard let index = Int(cursor.digits()), index > 0 || !isFromEnd else {
                    throw start.error(.expected("a number, a quoted key, key=word or * in the brackets"))
                }
                guard index <= indexMax else {
                    throw start.error(.expected("a place in a list of at most \(indexMax)"))
                }
                step = .index(isFromEnd ? -index : index)
            }
        }
        guard cursor.skip("]") else { throw cursor.error(.expected("]")) }
        return step
    }

    private static func word(from cursor: inout NotationCursor) throws(NotationError) -> String {
        if let word = try cursor.quotedText() ?? cursor.bareWord() { return word }
        throw cursor.error(.expected("a word after the =; quote it if it has other signs than letters and digits"))
    }
}

extension ValuePath: CustomStringConvertible {
    /// The text form; ``init(text:)`` returns the same path.
    public var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .each: text += "[*]"
            case .key(let key) where NotationCursor.isBareWord(key): text += text.isEmpty ? key : ".\(key)"
            case .key(let key): text += "[\(NotationCursor.quoted(key))]"
            case .element(let key, let word): text += "[\(Self.shown(key))=\(Self.shown(word))]"
            }
        }
        return text
    }

    private static func shown(_ word: String) -> String {
        NotationCursor.isBareWord(word) ? word : NotationCursor.quoted(word)
    }
}

extension ValuePath: Codable {
    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads the text form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(NotationError) {
            self = try ValuePath(text: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }
}
