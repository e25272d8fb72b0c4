import ArgumentParser
import PoolModel

/// The format of the line.
struct StatusFormat {
    private enum Part {
        case text(String)
        case name
        case pool
        case status
        case age
        case alerts
        case value(Quantity)
    }

    private static let names = "{name} {pool} {status} {age} {alerts} {temperature} {ph} {chlorine} {orp}"
    private var parts: [Part] = []

    init(_ text: String) throws {
        var rest = text[...]
        var plain = ""
        while let character = rest.popFirst() {
            guard character == "{" || character == "}", rest.first != character else {
                if character == "{" || character == "}" { rest.removeFirst() }
                plain.append(character)
                continue
            }
            guard character == "{", let end = rest.firstIndex(of: "}") else {
                throw ValidationError("--format has a single \(character): double it, or use one of \(Self.names)")
            }
            parts.append(.text(plain))
            plain = ""
            parts.append(try Self.part(String(rest[..<end])))
            rest = rest[rest.index(after: end)...]
        }
        parts.append(.text(plain))
    }

    private static func part(_ name: String) throws -> Part {
        switch name {
        case "name": return .name
        case "pool": return .pool
        case "status": return .status
        case "age": return .age
        case "alerts": return .alerts
        default:
            guard let quantity = Quantity(rawValue: name) else {
                throw ValidationError("--format has {\(name)}, which is not one of \(names)")
            }
            return .value(quantity)
        }
    }

    /// The line of a device.
    func text(_ line: StatusLine, isASCII: Bool) -> String {
        let shown = parts.map { part in
            switch part {
            case .text(let text): text
            case .name: line.name
            case .pool: line.pool ?? ""
            case .status: line.word
            case .age: line.age
            case .alerts: line.alerts.map { "\($0)" } ?? "?"
            case .value(let quantity): line.words(quantity, isASCII: isASCII)
            }
        }
        .joined()
        return isASCII ? shown.asciiOnly : shown
    }
}

extension String {
    /// The text with a question mark for each character that is not ASCII.
    var asciiOnly: String { String(map { $0.isASCII ? $0 : "?" }) }
}
