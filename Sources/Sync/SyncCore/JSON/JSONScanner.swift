/// Checks a JSON document from left to right and records the place of each value.
struct JSONScanner {
    private var offset = 0
    private var places: [JSONPlace] = []

    /// The places of all values, in the order of the bytes.
    ///
    /// - Throws: ``JSONError``.
    static func places(in bytes: [UInt8]) throws(JSONError) -> [JSONPlace] {
        // A place stores byte offsets in 32 bits.
        guard bytes.count < Int(UInt32.max) else { throw .unexpected(offset: Int(UInt32.max)) }
        var scanner = JSONScanner()
        scanner.places.reserveCapacity(bytes.count / 8 + 4)
        try scanner.value(bytes.span, depth: 0)
        scanner.skipBlanks(bytes.span)
        guard scanner.offset == bytes.count else { throw .unexpected(offset: scanner.offset) }
        return scanner.places
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) {
        guard depth < JSONValue.depthLimit else { throw .tooDeep }
        switch try peek(bytes) {
        case UInt8(ascii: "\""): try string(bytes)
        case UInt8(ascii: "{"): try members(bytes, depth: depth)
        case UInt8(ascii: "["): try elements(bytes, depth: depth)
        case UInt8(ascii: "t"): try word(bytes, "true", .yes)
        case UInt8(ascii: "f"): try word(bytes, "false", .no)
        case UInt8(ascii: "n"): try word(bytes, "null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
        default: throw .unexpected(offset: offset)
        }
    }

    private mutating func members(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) {
        let position = places.count
        places.append(JSONPlace(.object, end: 0))
        offset += 1
        var isSorted = true
        var last: Int?
        var isOpen = try peek(bytes) != UInt8(ascii: "}")
        if !isOpen { offset += 1 }
        while isOpen {
            guard try peek(bytes) == UInt8(ascii: "\"") else { throw .unexpected(offset: offset) }
            let name = places.count
            try string(bytes)
            if let last, isSorted { isSorted = precedes(last, name, bytes) }
            last = name
            guard try peek(bytes) == UInt8(ascii: ":") else { throw .unexpected(offset: offset) }
            offset += 1
            try value(bytes, depth: depth + 1)
            isOpen = try continues(bytes, until: UInt8(ascii: "}"))
        }
        places[position].end = places.count
        // Strictly ascending names contain no duplicates.
        if !isSorted { try checkNames(of: position, bytes) }
    }

    private mutating func elements(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) {
        let position = places.count
        places.append(JSONPlace(.array, end: 0))
        offset += 1
        var isOpen = try peek(bytes) != UInt8(ascii: "]")
        if !isOpen { offset += 1 }
        while isOpen {
            try value(bytes, depth: depth + 1)
            isOpen = try continues(bytes, until: UInt8(ascii: "]"))
        }
        places[position].end = places.count
    }

    /// Whether a comma follows; consumes it, or the closing byte.
    private mutating func continues(_ bytes: Span<UInt8>, until closing: UInt8) throws(JSONError) -> Bool {
        let byte = try peek(bytes)
        guard byte == closing || byte == UInt8(ascii: ",") else { throw .unexpected(offset: offset) }
        offset += 1
        return byte != closing
    }

    private mutating func word(_ bytes: Span<UInt8>, _ word: String, _ kind: JSONPlace.Kind) throws(JSONError) {
        for byte in word.utf8 {
            guard offset < bytes.count else { throw .truncated }
            guard bytes[offset] == byte else { throw .unexpected(offset: offset) }
            offset += 1
        }
        places.append(JSONPlace(kind, end: places.count + 1))
    }

    /// The next byte that is not white space.
    private mutating func peek(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
        skipBlanks(bytes)
        guard offset < bytes.count else { throw .truncated }
        return bytes[offset]
    }

    private mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while offset < bytes.count {
            let byte = bytes[offset]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            offset += 1
        }
    }
}

// Names.
extension JSONScanner {
    /// Whether the left name comes before the right one in the order of their bytes.
    private func precedes(_ left: Int, _ right: Int, _ bytes: Span<UInt8>) -> Bool {
        guard places[left].kind == .plainText, places[right].kind == .plainText else {
            return name(at: left, bytes).lexicographicallyPrecedes(name(at: right, bytes))
        }
        let (left, right) = (places[left].range, places[right].range)
        for position in 0..<min(left.count, right.count) {
            let (one, other) = (bytes[left.lowerBound + position], bytes[right.lowerBound + position])
            if one != other { return one < other }
        }
        return left.count < right.count
    }

    /// Refuses an object in which a name occurs twice.
    private func checkNames(of position: Int, _ bytes: Span<UInt8>) throws(JSONError) {
        var names: [[UInt8]] = []
        var next = position + 1
        while next < places[position].end {
            names.append(name(at: next, bytes))
            next = places[next + 1].end
        }
        names.sort { $0.lexicographicallyPrecedes($1) }
        for (name, following) in zip(names, names.dropFirst()) where name == following {
            throw .duplicateName(String(decoding: name, as: UTF8.self))
        }
    }

    private func name(at position: Int, _ bytes: Span<UInt8>) -> [UInt8] {
        let text = places[position].range.map { bytes[$0] }
        return places[position].kind == .plainText ? text : JSONEscapes.resolved(text[...])
    }
}

// Numbers and texts.
extension JSONScanner {
    /// A number must have its shortest form, so that "+1", "01" and "-0" are not alternative spellings.
    private mutating func number(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = offset
        let isNegative = bytes[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        let first = offset
        var magnitude: UInt64 = 0
        var isWhole = true
        digits: while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let (shifted, isOver) = magnitude.multipliedReportingOverflow(by: 10)
                let (sum, isOverToo) = shifted.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                magnitude = sum
                isWhole = isWhole && !isOver && !isOverToo
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                isWhole = false
            default: break digits
            }
            offset += 1
        }
        let isShortest = offset > first && (bytes[first] != UInt8(ascii: "0") || (offset == first + 1 && !isNegative))
        let number = isNegative ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
        guard isWhole, isShortest, let number else { throw .notWhole(offset: start) }
        places.append(JSONPlace(number, end: places.count + 1))
    }

    private mutating func string(_ bytes: Span<UInt8>) throws(JSONError) {
        let quote = offset
        let start = quote + 1
        var isPlain = true
        // The disjunction of all bytes: its highest bit says whether there is any byte beyond ASCII.
        var bits: UInt8 = 0
        var position = start
        while true {
            guard position < bytes.count else { throw .truncated }
            let byte = bytes[position]
            position += 1
            bits |= byte
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                isPlain = false
                offset = position
                try skipEscape(bytes)
                position = offset
            } else if byte < 0x20 {
                throw .unexpected(offset: position - 1)
            }
        }
        offset = position
        let range = start..<position - 1
        guard bits < 0x80 || UTF8Check.isText(bytes, range) else { throw .notText(offset: quote) }
        places.append(JSONPlace(textIn: range, isPlain: isPlain, end: places.count + 1))
    }

    private mutating func skipEscape(_ bytes: Span<UInt8>) throws(JSONError) {
        guard offset < bytes.count else { throw .truncated }
        let byte = bytes[offset]
        offset += 1
        if byte == UInt8(ascii: "u") {
            try skipScalar(bytes)
        } else if JSONEscape.character(named: byte) == nil {
            throw .unexpected(offset: offset - 1)
        }
    }

    private mutating func skipScalar(_ bytes: Span<UInt8>) throws(JSONError) {
        let unit = try codeUnit(bytes)
        guard (0xD800..<0xE000).contains(unit) else { return }
        guard unit < 0xDC00 else { throw .notText(offset: offset) }
        guard offset + 1 < bytes.count else { throw .truncated }
        guard bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else {
            throw .notText(offset: offset)
        }
        offset += 2
        guard (0xDC00..<0xE000).contains(try codeUnit(bytes)) else { throw .notText(offset: offset) }
    }

    private mutating func codeUnit(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
        guard offset + 4 <= bytes.count else { throw .truncated }
        var unit: UInt32 = 0
        for position in offset..<offset + 4 {
            guard let digit = Hexadecimal.value(ofDigit: bytes[position]) else { throw .unexpected(offset: offset) }
            unit = unit << 4 | UInt32(digit)
        }
        offset += 4
        return unit
    }
}
