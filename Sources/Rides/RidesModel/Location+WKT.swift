extension Location {
    /// Reads a text of a column: WKT, EWKT, or hexadecimal EWKB as PostGIS prints it.
    ///
    /// - Throws: ``LocationError``.
    public init(texte text: String) throws(LocationError) {
        if let bytes = Self.hexadecimal(text) {
            try self.init(ewkb: bytes)
        } else {
            try self.init(wkt: text)
        }
    }

    /// Reads WKT or EWKT, such as `POINT(15.31 -4.32)` and `SRID=4326;POINT(15.31 -4.32)`, in any case.
    ///
    /// - Throws: ``LocationError``.
    public init(wkt text: String) throws(LocationError) {
        var rest = text.uppercased()[...].trimmed
        if rest.hasPrefix("SRID=") {
            let parts = rest.dropFirst(5).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let srid = Int(parts[0].trimmed) else { throw .unreadable("\"\(text)\"") }
            guard srid == Self.srid else { throw .srid(srid) }
            rest = parts[1].trimmed
        }
        let name = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(name.count).trimmed
        var type = name
        // The letters for a height and a measure stand apart or at the name, as in `POINT ZM (` and `POINTZ(`.
        var extra = rest.prefix { "ZM".contains($0) }
        if extra.isEmpty, name.hasPrefix("POINT"), name.dropFirst(5).allSatisfy({ "ZM".contains($0) }) {
            (type, extra) = (name.prefix(5), name.dropFirst(5))
        } else {
            rest = rest.dropFirst(extra.count).trimmed
        }
        guard !type.isEmpty else { throw .unreadable("\"\(text)\"") }
        guard type == "POINT" else { throw .type(String(type)) }
        if rest == "EMPTY" { throw .empty }
        guard rest.hasPrefix("("), rest.hasSuffix(")") else { throw .unreadable("\"\(text)\"") }
        let numbers = rest.dropFirst().dropLast().split(whereSeparator: \.isWhitespace).map { Double($0) }
        guard extra.isEmpty else { throw .dimensions(2 + extra.count) }
        guard numbers.allSatisfy({ $0 != nil }), !numbers.isEmpty else { throw .unreadable("\"\(text)\"") }
        try self.init(coordinates: numbers.compactMap(\.self))
    }

    /// The text in EWKT: `SRID=4326;POINT(15.31 -4.32)`.
    public var ewkt: String { "SRID=\(Self.srid);POINT(\(longitude) \(latitude))" }

    /// The bytes of a text of hexadecimal digits only, which no WKT is; nil for another text.
    private static func hexadecimal(_ text: String) -> [UInt8]? {
        guard !text.isEmpty, text.utf8.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let digit = character.hexDigitValue.flatMap(UInt8.init(exactly:)) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}

extension Substring {
    /// The text without white space at its ends.
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
    }
}
