/// The identifier of a logged dose.
public typealias DoseID = Identifier<Dose>

/// A product that somebody added to the water of a pool, as logged.
public struct Dose: Identified, Codable, Hashable, Sendable {
    /// The unit of an amount.
    public enum Unit: String, CaseIterable, Codable, Hashable, Sendable {
        /// Grams.
        case grams = "g"
        /// Millilitres.
        case millilitres = "mL"
    }

    /// The identifier; a dose that is logged twice with the same one is one dose.
    public let id: DoseID
    /// The pool whose water got the product.
    public var poolID: PoolID
    /// What was added.
    public var product: DoseProduct
    /// How much of it; ``amountRange``.
    public var amount: Double
    /// The unit of ``amount``; one of ``DoseProduct/units``.
    public var unit: Unit
    /// The strength on the label, in percent; nil for ``DoseProduct/usualStrength``.
    public var strengthPercent: Double?
    /// When it was added; at most ``pastDaysMax`` days before it is logged.
    public var at: Timestamp
    /// Who logged it, for people; at most 256 bytes.
    public var author: String
    /// A note; nil for none, at most ``noteByteCountMax`` bytes.
    public var note: String?

    /// Creates a dose without checking it.
    public init(
        id: DoseID, poolID: PoolID, product: DoseProduct, amount: Double, unit: Unit, strengthPercent: Double? = nil,
        at: Timestamp, author: String, note: String? = nil
    ) {
        self.id = id
        self.poolID = poolID
        self.product = product
        self.amount = amount
        self.unit = unit
        self.strengthPercent = strengthPercent
        self.at = at
        self.author = author
        self.note = note
    }

    /// The range of amounts in grams or millilitres: up to a tonne.
    public static let amountRange = 0.1...1_000_000
    /// The most bytes of a note, and of an author, in UTF-8.
    public static let noteByteCountMax = 256
    /// How far a dose may lie in the past when it is logged, in days.
    public static let pastDaysMax = 366
    /// How far a dose may lie in the future, in milliseconds: clocks of hub and watch differ a little.
    package static let futureMillisecondsMax: Int64 = 600_000

    /// Checks every field against its documented range.
    ///
    /// - Parameter now: The time by the hub's clock.
    /// - Throws: The first ``DoseError`` in the order of the fields.
    public func validate(at now: Timestamp) throws(DoseError) {
        guard Self.amountRange.contains(amount) else { throw .amountOutOfRange(amount, unit) }
        guard product.units.contains(unit) else { throw .unitWrong(product, unit) }
        if let strengthPercent {
            guard let range = product.strengthRange, range.contains(strengthPercent) else {
                throw .strengthOutOfRange(product, strengthPercent)
            }
        }
        guard at.milliseconds(since: now) <= Self.futureMillisecondsMax else { throw .inTheFuture(at) }
        guard now.milliseconds(since: at) <= Int64(Self.pastDaysMax) * 86_400_000 else { throw .tooLongAgo(at) }
        for text in [author, note ?? ""] {
            guard text.utf8.count <= Self.noteByteCountMax else { throw .textTooLong(byteCount: text.utf8.count) }
            if let scalar = ControlCharacter.find(in: text) { throw .textSteers(scalar) }
        }
    }

    /// The amount with its unit, such as `150 g` or `1.2 L`.
    public var amountText: String { Self.text(amount, unit) }

    /// An amount with its unit, in kilograms or litres from 1000 on.
    public static func text(_ amount: Double, _ unit: Unit) -> String {
        let isLarge = amount >= 1000
        let shown = isLarge ? amount / 1000 : amount
        let digits = isLarge ? 2 : amount < 10 ? 1 : 0
        let number = NumberFormat.shortest(shown, decimals: digits)
        return switch unit {
        case .grams: "\(number) \(isLarge ? "kg" : "g")"
        case .millilitres: "\(number) \(isLarge ? "L" : "mL")"
        }
    }
}

/// Why a dose cannot be logged.
@nonexhaustive
public enum DoseError: Error, Hashable, Sendable {
    /// The amount is outside ``Dose/amountRange``.
    case amountOutOfRange(Double, Dose.Unit)
    /// The product is not measured out in this unit.
    case unitWrong(DoseProduct, Dose.Unit)
    /// The product cannot have this strength.
    case strengthOutOfRange(DoseProduct, Double)
    /// The time is in the future.
    case inTheFuture(Timestamp)
    /// The time is longer ago than ``Dose/pastDaysMax`` days.
    case tooLongAgo(Timestamp)
    /// The note or the author is too long.
    case textTooLong(byteCount: Int)
    /// The note or the author contains a `ControlCharacter`.
    case textSteers(Unicode.Scalar)
    /// As many newer doses from the same source are logged as are kept.
    case tooManyNewer
}

extension DoseError: CustomStringConvertible {
    /// One sentence for a person: the subject, the value and what to do.
    public var description: String {
        switch self {
        case .amountOutOfRange(let amount, let unit):
            "The amount of \(amount) \(unit.rawValue) is not in 0.1…1000000: give grams or millilitres."
        case .unitWrong(let product, let unit):
            "The amount of \(product.name) is in \(unit.rawValue), but it is measured in "
                + "\(product.units.map(\.rawValue).joined(separator: " or ")): give it so."
        case .strengthOutOfRange(let product, let strength):
            product.strengthRange.map {
                "The strength of \(strength) % is not in \($0.lowerBound)…\($0.upperBound) %, which \(product.name) "
                    + "can have: read the label."
            } ?? "A strength of \(strength) % means nothing for \(product.name): leave it out."
        case .inTheFuture(let moment):
            "The time \(moment.iso8601) is in the future: log a dose when it is in the water."
        case .tooLongAgo(let moment):
            "The time \(moment.iso8601) is more than \(Dose.pastDaysMax) days ago: log later doses only."
        case .textTooLong(let count):
            "The note has \(count) bytes, at most \(Dose.noteByteCountMax) are possible: shorten it."
        case .textSteers(let scalar):
            "The note holds \(scalar.codePoint), which steers a terminal or the direction of writing and cannot be "
                + "seen: leave it out."
        case .tooManyNewer:
            "As many newer doses are logged as the log keeps of one watch, or of all others together: log later doses only."
        }
    }
}
