extension ValueSource {
    /// Reads the notation for people: `quantity=place`, then scale, offset, unit and clauses as needed.
    ///
    ///     ph=~/ph/state
    ///     chlorine=NeoPool.Chlorine.Data
    ///     temperature=~/Meas1#Tmp*0.01
    ///     temperature=pool.temp -0.5 °F not -999,0
    ///     ph=~/v/4.78#v*0.1 if [0].mode!=service
    ///     temperature=temp.value unit temp.unit
    ///
    /// - Throws: ``NotationError`` with the position of the first error.
    public init(notation: some StringProtocol) throws(NotationError) {
        var cursor = NotationCursor(notation)
        cursor.skipBlanks()
        let start = cursor
        guard let word = cursor.bareWord(), let quantity = Quantity(rawValue: word.lowercased()) else {
            let names = Quantity.allCases.map(\.rawValue).joined(separator: ", ")
            throw start.error(.expected("one of the quantities \(names)"))
        }
        cursor.skipBlanks()
        guard cursor.skip("=") else { throw cursor.error(.expected("= after the quantity")) }
        cursor.skipBlanks()
        let place = try NotationPlace(from: &cursor)
        self.init(quantity, topic: place.topic ?? "~", path: place.path)
        cursor.skipBlanks()
        if cursor.skip("*") { scale = try Self.number(from: &cursor, after: "*") }
        cursor.skipBlanks()
        if cursor.skip("+") {
            offset = try Self.number(from: &cursor, after: "+")
        } else if cursor.skip("-") {
            offset = -(try Self.number(from: &cursor, after: "-"))
        }
        cursor.skipBlanks()
        try readUnit(from: &cursor)
        try readClauses(from: &cursor)
        cursor.skipBlanks()
        guard cursor.isAtEnd else {
            throw cursor.error(.expected("*scale, +offset, a unit, unit PLACE, not, if or the end"))
        }
    }

    private static func number(from cursor: inout NotationCursor, after sign: String) throws(NotationError) -> Double {
        cursor.skipBlanks()
        guard let number = cursor.number() else { throw cursor.error(.expected("a number after \(sign)")) }
        return number
    }

    private mutating func readUnit(from cursor: inout NotationCursor) throws(NotationError) {
        let start = cursor
        let word = cursor.prefix { !$0.properties.isWhitespace }
        if word.isEmpty || ["if", "not", "unit"].contains(word) {
            cursor = start
            return
        }
        guard let unit = quantity.unit(word) else {
            let units = quantity.facts.units.map(\.unit.rawValue)
            throw start.error(.expected("a unit of \(quantity.rawValue), \(units.joined(separator: " or "))"))
        }
        self.unit = unit
    }

    private mutating func readClauses(from cursor: inout NotationCursor) throws(NotationError) {
        while true {
            cursor.skipBlanks()
            guard !cursor.isAtEnd, cursor.previous?.properties.isWhitespace == true else { return }
            let start = cursor
            switch cursor.bareWord() {
            case "unit" where unitPlace == nil:
                cursor.skipBlanks()
                let place = try NotationPlace(from: &cursor)
                unitPlace = UnitPlace(topic: place.topic, path: place.path)
            case "not":
                repeat {
                    sentinels.append(try Self.number(from: &cursor, after: "not"))
                    cursor.skipBlanks()
                } while cursor.skip(",")
            case "if":
                cursor.skipBlanks()
                conditions.append(try PayloadCondition(from: &cursor))
            default: throw start.error(.expected("unit PLACE once, not, if or the end"))
            }
        }
    }

    /// The notation of the source; ``init(notation:)`` returns the same source.
    ///
    /// It leaves out the ``time`` of the value, which has no notation.
    public var notation: String {
        var text = "\(quantity.rawValue)=\(NotationPlace(topic: topic == "~" ? nil : topic, path: path))"
        if scale != 1 { text += " * \(Self.text(of: scale))" }
        if offset != 0 { text += offset < 0 ? " - \(Self.text(of: -offset))" : " + \(Self.text(of: offset))" }
        if unit != quantity.facts.unit { text += " \(unit.rawValue)" }
        if let unitPlace { text += " unit \(NotationPlace(topic: unitPlace.topic, path: unitPlace.path))" }
        if !sentinels.isEmpty { text += " not " + sentinels.map(Self.text).joined(separator: ",") }
        for condition in conditions { text += " if \(condition.notation)" }
        return text
    }

    /// A number without a trailing ".0".
    private static func text(of number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension PayloadCondition {
    /// Reads `path=word|word`, `path!=word|word`, or `path>number` and the like.
    init(from cursor: inout NotationCursor) throws(NotationError) {
        self.init(try ValuePath(from: &cursor))
        cursor.skipBlanks()
        let isNegative = cursor.skip("!")
        let words = try NotationWords.readCompared(from: &cursor, isNegative: isNegative)
        if isNegative { others = words } else { self.words = words }
    }

    /// The notation of the condition, without its `if`.
    package var notation: String {
        // If both lists are used, they are two conditions, and both must hold.
        var parts: [String] = []
        if let comparison = words.first.flatMap({ NumberComparison($0) }), words.count == 1 {
            parts.append("\(path)\(comparison.sign)\(comparison.number)")
        } else if !words.isEmpty {
            parts.append("\(path)=\(NotationWords.text(of: words))")
        }
        if !others.isEmpty { parts.append("\(path)!=\(NotationWords.text(of: others))") }
        return parts.joined(separator: " if ")
    }
}

/// Words separated by bars: `ok|ready|"not yet"`.
enum NotationWords {
    /// Reads `=` and words, or a comparison with a number, such as `>0`, which counts as a word.
    static func readCompared(
        from cursor: inout NotationCursor, isNegative: Bool = false
    ) throws(NotationError) -> [String] {
        let start = cursor.position
        if !isNegative, cursor.skip(">") || cursor.skip("<") {
            _ = cursor.skip("=")
            let sign = cursor.text(from: start)
            cursor.skipBlanks()
            let place = cursor.position
            guard cursor.number() != nil else { throw cursor.error(.expected("a number after \(sign)")) }
            return [sign + cursor.text(from: place)]
        }
        guard cursor.skip("=") else { throw cursor.error(.expected(isNegative ? "!=" : "=, !=, >, >=, < or <=")) }
        return try read(from: &cursor)
    }

    /// The clauses for these words: `online=ready|up`, `online>0`.
    static func clauses(_ words: [String], after name: String) -> [String] {
        var clauses: [String] = []
        var waiting: [String] = []
        for word in words {
            guard let comparison = NumberComparison(word) else {
                waiting.append(word)
                continue
            }
            if !waiting.isEmpty { clauses.append("\(name)=\(text(of: waiting))") }
            waiting = []
            clauses.append("\(name)\(comparison.sign)\(comparison.number)")
        }
        return waiting.isEmpty ? clauses : clauses + ["\(name)=\(text(of: waiting))"]
    }

    static func read(from cursor: inout NotationCursor) throws(NotationError) -> [String] {
        var words: [String] = []
        repeat {
            cursor.skipBlanks()
            if let word = try cursor.quotedText() {
                words.append(word)
            } else {
                let word = cursor.prefix { isBare($0) }
                guard !word.isEmpty else { throw cursor.error(.expected("a word; quote it if it has blanks")) }
                words.append(word)
            }
        } while cursor.skip("|")
        return words
    }

    static func text(of words: [String]) -> String {
        words.map { word in
            !word.isEmpty && word.unicodeScalars.allSatisfy(isBare) ? word : NotationCursor.quoted(word)
        }
        .joined(separator: "|")
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "_-.+$:/".unicodeScalars.contains(scalar)
    }
}
