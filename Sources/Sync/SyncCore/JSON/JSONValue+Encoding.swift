extension JSONValue {
    /// The canonical bytes: sorted names, no white space, the shortest escapes; equal values give equal bytes.
    public var encoded: [UInt8] {
        [UInt8](capacity: encodedByteCount) { write(to: &$0) }
    }

    /// The number of bytes that ``write(to:)`` writes.
    private var encodedByteCount: Int {
        switch self {
        case .null: return 4
        case .bool(let value): return value ? 4 : 5
        case .integer(let number): return JSONText.byteCount(number)
        case .hexadecimal: return 18
        case .string(let text): return JSONText.byteCount(text)
        case .array(let elements):
            var count = max(2, elements.count + 1)
            for element in elements { count += element.encodedByteCount }
            return count
        case .object(let members):
            // For each member a colon and a comma, except the last comma, and two braces.
            var count = max(2, 2 * members.members.count + 1)
            for (name, value) in members.members { count += JSONText.byteCount(name) + value.encodedByteCount }
            return count
        }
    }

    private func write(to output: inout OutputSpan<UInt8>) {
        switch self {
        case .null: JSONText.write(word: "null", to: &output)
        case .bool(let value): JSONText.write(word: value ? "true" : "false", to: &output)
        case .integer(let number): JSONText.write(number, to: &output)
        case .hexadecimal(let number):
            output.append(UInt8(ascii: "\""))
            Hexadecimal.append(number, to: &output)
            output.append(UInt8(ascii: "\""))
        case .string(let text): JSONText.write(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            var isFirst = true
            for element in elements {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            var isFirst = true
            for (name, value) in members.members {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                JSONText.write(name, to: &output)
                output.append(UInt8(ascii: ":"))
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}

/// The bytes of the simple values of canonical JSON, and their counts.
private enum JSONText {
    static func byteCount(_ number: Int64) -> Int {
        var count = number < 0 ? 2 : 1
        var rest = number.magnitude
        while rest >= 10 {
            count += 1
            rest /= 10
        }
        return count
    }

    static func byteCount(_ text: String) -> Int {
        withBytes(of: text) { bytes in
            var count = bytes.count + 2
            for position in bytes.indices where isEscaped(bytes[position]) {
                count += escape(bytes[position]) == UInt8(ascii: "u") ? 5 : 1
            }
            return count
        }
    }

    static func write(word: StaticString, to output: inout OutputSpan<UInt8>) {
        for byte in word.description.utf8 { output.append(byte) }
    }

    static func write(_ number: Int64, to output: inout OutputSpan<UInt8>) {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        var divisor: UInt64 = 1
        while number.magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number.magnitude / divisor % 10))
            divisor /= 10
        }
    }

    static func write(_ text: String, to output: inout OutputSpan<UInt8>) {
        output.append(UInt8(ascii: "\""))
        withBytes(of: text) { bytes in
            for position in bytes.indices {
                let byte = bytes[position]
                guard isEscaped(byte) else {
                    output.append(byte)
                    continue
                }
                output.append(UInt8(ascii: "\\"))
                output.append(escape(byte))
                if escape(byte) == UInt8(ascii: "u") {
                    output.append(UInt8(ascii: "0"))
                    output.append(UInt8(ascii: "0"))
                    output.append(Hexadecimal.digit(byte >> 4))
                    output.append(Hexadecimal.digit(byte & 15))
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The character after the backslash.
    private static func escape(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        case 0..<0x20: UInt8(ascii: "u")
        default: byte
        }
    }

    @inline(__always)
    private static func withBytes<Result>(of text: String, _ use: (Span<UInt8>) -> Result) -> Result {
        var text = text
        // The span does not outlive the call that lends the bytes.
        return text.withUTF8 { unsafe use(Span(_unsafeElements: $0)) }
    }
}
