/// Turns the bytes that a terminal sends into keys.
///
/// It can be fed in any pieces: a sequence that is cut goes on with the next piece. Sequences that it does not
/// know, such as reports of a mouse, are swallowed whole, and so are bytes that are not UTF-8; modifiers of named
/// keys are ignored. Sources: ECMA-48 for the structure, ctlseqs of xterm for the keys.
///
/// ```
///            ESC            [
///  ground ────────▶ escape ────▶ control sequence ── final byte ──▶ ground
///    │ ▲              │ │  O
///    │ │              │ └──────▶ single shift ────── any byte ────▶ ground
///    │ │              │ P ] X ^ _
///    ▼ │              └────────▶ string ──────────── BEL or ST ───▶ ground
///   UTF-8
/// ```
public struct KeyParser: Sendable {
    private enum State: Equatable {
        /// The state between keys.
        case ground
        /// The state inside a character of several bytes.
        case character(bytes: [UInt8], missing: Int)
        /// The state after an escape character, which may be the Escape key.
        case escape
        /// The state inside a control sequence; of its parameters only the first digits are kept.
        case controlSequence(parameters: [UInt8])
        /// The state after ESC O.
        case singleShift
        /// The state after ESC [ [, with which the Linux console begins its first five function keys.
        case consoleFunction
        /// The state inside a string that the terminal answers with, up to its terminator.
        case string(hasEscape: Bool)
    }

    private var state = State.ground
    private static let parameterCountMax = 8

    /// Creates a parser that has seen nothing.
    public init() {}

    /// Whether a sequence has begun, so that a key may still be hidden in it.
    public var isInsideSequence: Bool { state != .ground }

    /// The keys that end within these bytes.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { take($0) }
    }

    /// The key that a begun sequence stands for if nothing follows it for a while: Escape itself, or none.
    public mutating func flush() -> Key? {
        defer { state = .ground }
        switch state {
        case .escape: return .escape
        case .controlSequence(let parameters): return parameters.isEmpty ? .alt("[") : nil
        case .singleShift: return .alt("O")
        case .ground, .character, .consoleFunction, .string: return nil
        }
    }

    private mutating func take(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return takeInGround(byte)
        case .character(let bytes, let missing): return takeContinuation(byte, after: bytes, missing: missing)
        case .escape: return takeAfterEscape(byte)
        case .controlSequence(let parameters): return takeParameter(byte, after: parameters)
        case .singleShift:
            state = byte == 0x1B ? .escape : .ground
            return Self.key(final: byte, parameter: nil)
        case .consoleFunction:
            state = byte == 0x1B ? .escape : .ground
            let number = Int(byte) - Int(UInt8(ascii: "A")) + 1
            return (1...5).contains(number) ? .function(number) : nil
        case .string(let hasEscape):
            // BEL ends it, and so does ST, which is ESC with a backslash.
            let ends = byte == 0x07 || hasEscape && byte == UInt8(ascii: "\\")
            state = ends ? .ground : .string(hasEscape: byte == 0x1B)
            return nil
        }
    }

    private mutating func takeInGround(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case 0x0D, 0x0A: return .enter
        case 0x09: return .tab
        case 0x7F, 0x08: return .backspace
        case 0x00: return .control(" ")
        case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1C...0x1F: return .control(Character(Unicode.Scalar(byte + 0x40)))
        case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
        case 0xC2...0xDF: return begin(byte, missing: 1)
        case 0xE0...0xEF: return begin(byte, missing: 2)
        case 0xF0...0xF4: return begin(byte, missing: 3)
        default: return nil
        }
    }

    private mutating func begin(_ byte: UInt8, missing: Int) -> Key? {
        state = .character(bytes: [byte], missing: missing)
        return nil
    }

    private mutating func takeContinuation(_ byte: UInt8, after bytes: [UInt8], missing: Int) -> Key? {
        guard byte & 0xC0 == 0x80 else {
            // The character was cut off for good; this byte begins something new.
            state = .ground
            return takeInGround(byte)
        }
        let bytes = bytes + [byte]
        guard missing == 1 else {
            state = .character(bytes: bytes, missing: missing - 1)
            return nil
        }
        state = .ground
        guard let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first,
            scalar.value >= 0xA0
        else { return nil }
        return .character(Character(scalar))
    }

    private mutating func takeAfterEscape(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "["):
            state = .controlSequence(parameters: [])
            return nil
        case UInt8(ascii: "O"):
            state = .singleShift
            return nil
        case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(hasEscape: false)
            return nil
        case 0x1B:
            return .escape
        default:
            state = .ground
            guard case .character(let character) = takeInGround(byte) else { return nil }
            return .alt(character)
        }
    }

    private mutating func takeParameter(_ byte: UInt8, after parameters: [UInt8]) -> Key? {
        switch byte {
        case 0x20...0x3F:
            let kept = parameters.count < Self.parameterCountMax ? parameters + [byte] : parameters
            state = .controlSequence(parameters: kept)
            return nil
        case UInt8(ascii: "[") where parameters.isEmpty:
            state = .consoleFunction
            return nil
        case 0x40...0x7E:
            state = .ground
            return Self.key(final: byte, parameters: parameters)
        case 0x1B:
            state = .escape
            return nil
        default:
            // No such byte belongs here: the sequence is broken off.
            state = .ground
            return nil
        }
    }

    // MARK: Tables

    private static func key(final: UInt8, parameters: [UInt8]) -> Key? {
        // A private sequence, such as a mouse report, begins with < = > or ?.
        if let first = parameters.first, (0x3C...0x3F).contains(first) { return nil }
        let digits = parameters.prefix { (0x30...0x39).contains($0) }
        let number = digits.prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return key(final: final, parameter: digits.isEmpty ? nil : number)
    }

    private static func key(final: UInt8, parameter: Int?) -> Key? {
        switch Character(Unicode.Scalar(final)) {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "H": .home
        case "F": .end
        case "Z": .backTab
        case "P": .function(1)
        case "Q": .function(2)
        case "R": .function(3)
        case "S": .function(4)
        case "~": parameter.flatMap { numbered[$0] }
        default: nil
        }
    }

    private static let numbered: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
        17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
        23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
        29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
    ]
}
