/// Turns the bytes that a terminal sends into keys, pasted texts and reports of the mouse and the focus.
///
/// The bytes may come in any pieces: a sequence that is cut continues with the next piece. Unknown sequences are
/// dropped completely, and so are bytes that are not UTF-8; modifiers of named keys and of the mouse are ignored.
///
/// ```
///            ESC            [
///  ground ────────▶ escape ────▶ control sequence ── final byte ──▶ ground
///    │ ▲              │ │  O            ├─ 200 ~ ──▶ paste ── ESC [ 201 ~ ──▶ ground
///    │ │              │ │               └─ M ──────▶ old mouse ── 3 bytes ──▶ ground
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
        /// The state inside a pasted text, up to the sequence that ends it.
        case paste
        /// The state inside a report of the mouse from a terminal without the newer form.
        case oldMouse(bytes: [UInt8])
    }

    private var state = State.ground
    private var pasted: [UInt8] = []
    private static let parameterCountMax = 20
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// The most bytes of a pasted text; the beginning of a longer one is kept.
    public static let pasteCountMax = 64 * 1024

    /// Creates a parser in its initial state.
    public init() {}

    /// Whether a sequence has begun, which may still become a key.
    public var isInsideSequence: Bool { state != .ground }

    /// Whether a pasted text has begun, which may have pauses.
    public var isInsidePaste: Bool { state == .paste }

    /// The inputs that end within these bytes.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        bytes.compactMap { take($0) }
    }

    /// The meaning of an incomplete sequence after which nothing has come for some time: Escape itself, the text so
    /// far, or nothing.
    public mutating func flush() -> TerminalInput? {
        defer { state = .ground }
        switch state {
        case .escape: return .key(.escape)
        case .controlSequence(let parameters): return parameters.isEmpty ? .key(.alt("[")) : nil
        case .singleShift: return .key(.alt("O"))
        case .paste: return endPaste()
        case .ground, .character, .consoleFunction, .string, .oldMouse: return nil
        }
    }

    private mutating func take(_ byte: UInt8) -> TerminalInput? {
        switch state {
        case .controlSequence(let parameters): takeParameter(byte, after: parameters)
        case .paste: takePasted(byte)
        case .oldMouse(let bytes): takeOldMouse(byte, after: bytes)
        case .ground, .character, .escape, .singleShift, .consoleFunction, .string: takeKey(byte).map { .key($0) }
        }
    }

    private mutating func takeKey(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return takeInGround(byte)
        case .character(let bytes, let missing): return takeContinuation(byte, after: bytes, missing: missing)
        case .escape: return takeAfterEscape(byte)
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
        case .controlSequence, .paste, .oldMouse: return nil
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
            // The character stays incomplete; this byte begins something new.
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

    private mutating func takeParameter(_ byte: UInt8, after parameters: [UInt8]) -> TerminalInput? {
        switch byte {
        case 0x20...0x3F:
            let kept = parameters.count < Self.parameterCountMax ? parameters + [byte] : parameters
            state = .controlSequence(parameters: kept)
            return nil
        case UInt8(ascii: "[") where parameters.isEmpty:
            state = .consoleFunction
            return nil
        case 0x40...0x7E:
            return takeFinal(byte, parameters: parameters)
        case 0x1B:
            state = .escape
            return nil
        default:
            // This byte is invalid here: the sequence is dropped.
            state = .ground
            return nil
        }
    }

    private mutating func takeFinal(_ byte: UInt8, parameters: [UInt8]) -> TerminalInput? {
        state = .ground
        let isPlain = parameters.isEmpty
        switch byte {
        case UInt8(ascii: "M") where isPlain:
            state = .oldMouse(bytes: [])
            return nil
        case UInt8(ascii: "M"), UInt8(ascii: "m"):
            return parameters.first == UInt8(ascii: "<") ? Self.mouse(parameters.dropFirst(), final: byte) : nil
        case UInt8(ascii: "I") where isPlain: return .focus(true)
        case UInt8(ascii: "O") where isPlain: return .focus(false)
        case UInt8(ascii: "~") where parameters == Array("200".utf8):
            (state, pasted) = (.paste, [])
            return nil
        default: return Self.key(final: byte, parameters: parameters).map { .key($0) }
        }
    }

    // MARK: Paste

    private mutating func takePasted(_ byte: UInt8) -> TerminalInput? {
        // Text beyond the limit is dropped, but the end must still be recognised.
        if pasted.count == Self.pasteCountMax + Self.pasteEnd.count { pasted.remove(at: Self.pasteCountMax) }
        pasted.append(byte)
        guard pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else { return nil }
        pasted.removeLast(Self.pasteEnd.count)
        state = .ground
        return endPaste()
    }

    private mutating func endPaste() -> TerminalInput {
        defer { pasted = [] }
        let text = String(decoding: pasted.prefix(Self.pasteCountMax), as: UTF8.self)
        // Terminals send line ends as CR; a tab becomes one space, and other control characters are left out.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
        let clean = lines.map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.compactMap(Self.pastable)))
        }
        return .paste(clean.joined(separator: "\n"))
    }

    private static func pastable(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar == "\t" { return " " }
        return scalar.properties.generalCategory == .control ? nil : scalar
    }

    // MARK: Mouse

    private static func mouse(_ parameters: ArraySlice<UInt8>, final: UInt8) -> TerminalInput? {
        let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, let code = numbers[0], let column = numbers[1], let row = numbers[2] else {
            return nil
        }
        return mouse(code, x: column - 1, y: row - 1, isRelease: final == UInt8(ascii: "m"))
    }

    /// Bits 2…4 are modifiers, bit 5 is a move, which was not requested, and bit 6 the wheel.
    private static func mouse(_ code: Int, x: Int, y: Int, isRelease: Bool) -> TerminalInput? {
        guard x >= 0, y >= 0, code >= 0, code < 128, code & 32 == 0 else { return nil }
        let action: Mouse.Action? =
            switch code & 0b1100011 {
            case 64: .wheelUp
            case 65: .wheelDown
            case 0...2 where isRelease: .release
            case 0: .click
            case 1: .middleClick
            case 2: .rightClick
            case 3: .release
            default: nil
            }
        return action.map { .mouse(Mouse($0, x: x, y: y)) }
    }

    private mutating func takeOldMouse(_ byte: UInt8, after bytes: [UInt8]) -> TerminalInput? {
        let bytes = bytes + [byte]
        guard bytes.count == 3 else {
            state = .oldMouse(bytes: bytes)
            return nil
        }
        state = .ground
        let (code, column, row) = (Int(bytes[0]) - 32, Int(bytes[1]) - 33, Int(bytes[2]) - 33)
        return Self.mouse(code, x: column, y: row, isRelease: false)
    }

    // MARK: Tables

    private static func key(final: UInt8, parameters: [UInt8]) -> Key? {
        // A private sequence begins with < = > or ?.
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
