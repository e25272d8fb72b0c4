/// An amount of money: a `NUMERIC(10, 2)`, exact in whole hundredths.
public struct Montant: Hashable, Comparable, Sendable {
    /// The hundredths of the currency, −9,999,999,999…9,999,999,999.
    public let centimes: Int64

    /// The largest number of hundredths: 99999999.99.
    public static let centimesMax: Int64 = 9_999_999_999

    /// Creates an amount.
    ///
    /// - Throws: ``MontantError/outOfRange(_:)``.
    public init(centimes: Int64) throws(MontantError) {
        guard (-Self.centimesMax...Self.centimesMax).contains(centimes) else {
            throw .outOfRange("\(centimes) hundredths")
        }
        self.centimes = centimes
    }

    /// Takes the number of JSON, which has at most two decimals.
    ///
    /// - Throws: ``MontantError``.
    public init(_ value: Double) throws(MontantError) {
        guard value.isFinite else { throw .notFinite("\(value)") }
        let hundredths = (value * 100).rounded()
        guard abs(hundredths) <= Double(Self.centimesMax) else { throw .outOfRange("\(value)") }
        // Division rounds to the nearest, so this holds for exactly the numbers that were written with two decimals.
        guard hundredths / 100 == value else { throw .tooFine("\(value)") }
        centimes = Int64(hundredths)
    }

    /// Reads the text of a `NUMERIC`, such as `12.50`.
    ///
    /// - Throws: ``MontantError``; `NaN` and `Infinity` are legal in PostgreSQL, and no amounts.
    public init(texte text: String) throws(MontantError) {
        let unsigned = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        if ["nan", "infinity", "inf"].contains(unsigned.lowercased()) { throw .notFinite(text) }
        let parts = unsigned.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        let whole = parts.first ?? ""
        guard !(whole.isEmpty && decimals.isEmpty), whole.allDigits, decimals.allDigits else { throw .unreadable(text) }
        guard decimals.dropFirst(2).allSatisfy({ $0 == "0" }) else { throw .tooFine(text) }
        let hundredths = (decimals + "00").prefix(2)
        guard let number = Int64(whole + hundredths) else { throw .outOfRange(text) }
        guard number <= Self.centimesMax else { throw .outOfRange(text) }
        centimes = text.hasPrefix("-") ? -number : number
    }

    /// Whether the first is less.
    public static func < (first: Montant, second: Montant) -> Bool { first.centimes < second.centimes }

    /// The nearest number, as the original app has it; no sums are made with it.
    public var double: Double { Double(centimes) / 100 }
}

extension Substring {
    /// Whether it holds ASCII digits only; true if it is empty.
    fileprivate var allDigits: Bool { utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
}

extension Montant: CustomStringConvertible {
    /// The text as PostgreSQL writes it: `12.50`.
    public var description: String {
        let digits = String(centimes.magnitude)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return (centimes < 0 ? "-" : "") + padded.dropLast(2) + "." + padded.suffix(2)
    }

    /// The amount for people: digits in groups of three, and the code of the currency.
    ///
    /// - Parameters:
    ///   - langue: The language whose separators are used.
    ///   - devise: The code of the currency by ISO 4217, such as `CDF`.
    /// - Returns: `12 500,00 CDF` in French, with narrow no-break and no-break spaces; `CDF 12,500.00` in English.
    public func formate(langue: Langue, devise: String) -> String {
        let text = description
        let whole = text.dropLast(3).drop { $0 == "-" }
        let grouped = String(
            whole.reversed().enumerated().flatMap { index, digit in
                index > 0 && index.isMultiple(of: 3) ? [langue.groupSeparator, digit] : [digit]
            }.reversed())
        let number = (centimes < 0 ? "-" : "") + grouped + langue.decimalSeparator + text.suffix(2)
        return langue == .fr ? "\(number)\u{A0}\(devise)" : "\(devise)\u{A0}\(number)"
    }
}

/// A language in which amounts are written.
public enum Langue: String, CaseIterable, Codable, Sendable {
    /// French.
    case fr
    /// English.
    case en

    fileprivate var groupSeparator: Character { self == .fr ? "\u{202F}" : "," }
    fileprivate var decimalSeparator: String { self == .fr ? "," : "." }
}

extension Montant: Codable {
    /// Reads a number, or the text of one, as drivers of PostgreSQL for other languages send it.
    ///
    /// - Throws: `DecodingError` with a ``MontantError`` below it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            if let text = try? container.decode(String.self) {
                self = try Montant(texte: text)
            } else {
                self = try Montant(container.decode(Double.self))
            }
        } catch let error as MontantError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }

    /// Writes a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(double)
    }
}

/// Why something is no ``Montant``.
@nonexhaustive
public enum MontantError: Error, Hashable, Sendable {
    /// It is `NaN` or infinite, which `NUMERIC` allows.
    case notFinite(String)
    /// It has more than eight digits before the point.
    case outOfRange(String)
    /// It has more than two decimals.
    case tooFine(String)
    /// It is no number.
    case unreadable(String)
}

extension MontantError: CustomStringConvertible {
    /// The error, and what would be right.
    public var description: String {
        switch self {
        case .notFinite(let text): "the amount is \(text): expected a number"
        case .outOfRange(let text): "the amount \(text) is out of range: expected -99999999.99 to 99999999.99"
        case .tooFine(let text): "the amount \(text) has more than two decimals: expected whole hundredths"
        case .unreadable(let text): "\"\(text)\" is no amount: expected a number such as 12.50"
        }
    }
}
