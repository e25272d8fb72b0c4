import Foundation
import Testing

/// A text in place of a secret or a private field, which must not occur in a place that others can read.
struct Mark {
    /// Who may know it.
    enum Kind {
        /// Only the hub: a password or a key.
        case secret
        /// The hub and its owner, but no watch.
        case hubOnly
    }

    /// The name of the secret or field.
    var name: String
    var kind: Kind
    var bytes: [UInt8]

    init(_ name: String, _ kind: Kind, _ bytes: [UInt8]) {
        (self.name, self.kind, self.bytes) = (name, kind, bytes)
    }

    init(_ name: String, _ kind: Kind, _ text: String) {
        self.init(name, kind, Array(text.utf8))
    }

    /// Whether the bytes contain it; a number counts only if it is not part of a longer one or of an identity.
    func isIn(_ data: Data) -> Bool {
        let isNumber = bytes.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
        var start = data.startIndex
        // Foundation's search, because that of the standard library takes minutes without optimisation.
        while let found = data.range(of: Data(bytes), in: start..<data.endIndex) {
            let before = found.lowerBound > data.startIndex ? data[found.lowerBound - 1] : 32
            let after = found.upperBound < data.endIndex ? data[found.upperBound] : 32
            if !isNumber || !(Self.goesOn(before) || before == UInt8(ascii: ".") || Self.goesOn(after)) { return true }
            start = found.upperBound
        }
        return false
    }

    private static func goesOn(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The marks in a text: `MARK-` and the characters after it.
    static func made(in text: String) -> [String] {
        text.matches(of: /MARK-[A-Za-z0-9-]+/).map { String($0.output) }
    }
}

/// A place that somebody can read, and the marks that may occur there.
struct ReadablePlace {
    var name: String
    var data: Data
    /// Why a mark may occur there; nil if it may not.
    var reason: (Mark) -> String?

    init(_ name: String, _ data: Data, mayHold reason: @escaping (Mark) -> String? = { _ in nil }) {
        (self.name, self.data, self.reason) = (name, data, reason)
    }

    /// The marks that occur there and must not.
    func leaks(_ marks: [Mark]) -> [String] {
        marks.filter { reason($0) == nil && $0.isIn(data) }.map { "\($0.name) is in \(name)" }
    }
}

/// Generic JSON, for a test that does not know the types.
enum AnyJSON: Decodable {
    case object([String: AnyJSON])
    case list([AnyJSON])
    case text(String)
    case number(Double)
    case boolean(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([AnyJSON].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    static func read(_ text: String) throws -> AnyJSON { try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }

    /// The values without children, with their paths; indices in lists are left out.
    func leaves(_ path: String = "") -> [(path: String, value: AnyJSON)] {
        switch self {
        case .object(let members): members.sorted { $0.key < $1.key }.flatMap { $1.leaves("\(path)/\($0)") }
        case .list(let elements): elements.flatMap { $0.leaves(path) }
        default: [(path, self)]
        }
    }
}

/// The unset parts of a value: nil, empty or default, which a test of all fields would miss.
struct UnsetFields {
    private var unset: Set<String> = []
    private var filled: Set<String> = []

    /// - Parameters:
    ///   - value: The value that should be full.
    ///   - empty: The same value without any content.
    init<Value>(of value: Value, comparedWith empty: Value) {
        look(at: value, empty, "")
    }

    /// Their paths.
    ///
    /// A field that is set in one element of a list counts as set in all.
    var paths: [String] { unset.subtracting(filled).sorted() }

    private mutating func look(at value: Any, _ empty: Any?, _ path: String) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection, .set, .dictionary:
            if mirror.children.isEmpty { unset.insert(path) } else { filled.insert(path) }
            for child in mirror.children { look(at: child.value, nil, path) }
        case nil,
            .some where mirror.children.isEmpty:
            let isDefault = !(value is Bool) && empty.map { "\($0)" == "\(value)" } == true
            if isDefault || (value as? String)?.isEmpty == true { unset.insert(path) } else { filled.insert(path) }
        case .some:
            let others = empty.map { Mirror(reflecting: $0) }
            for child in mirror.children {
                let other = others?.children.first { $0.label == child.label }
                look(at: child.value, other?.value, "\(path).\(child.label ?? "")")
            }
        }
    }
}
