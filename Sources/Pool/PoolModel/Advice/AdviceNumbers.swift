/// What a person types for advice, because no probe measures it.
public struct AdviceNumbers: Codable, Hashable, Sendable {
    /// A product that is at hand.
    public struct Product: Codable, Hashable, Sendable {
        /// The product.
        public var product: DoseProduct
        /// The strength on its label, in percent; nil for the usual one.
        public var strengthPercent: Double?

        /// Creates a product.
        public init(_ product: DoseProduct, strengthPercent: Double? = nil) {
            self.product = product
            self.strengthPercent = strengthPercent
        }
    }

    /// The total alkalinity in mg/L as calcium carbonate; nil if unknown, 25…1000.
    public var totalAlkalinity: Double?
    /// The cyanuric acid in mg/L; nil if unknown, 0…300.
    public var cyanuricAcid: Double?
    /// The borates in mg/L as boron; nil if unknown, 0…100.
    public var borates: Double?
    /// The time in which the pump moves the whole volume once, in hours; nil if unknown, 0.5…72.
    public var turnoverHours: Double?
    /// The products at hand; those of a quantity without any are all of the table.
    public var products: [Product]

    /// Creates numbers; by default none is known.
    public init(
        totalAlkalinity: Double? = nil, cyanuricAcid: Double? = nil, borates: Double? = nil,
        turnoverHours: Double? = nil, products: [Product] = []
    ) {
        self.totalAlkalinity = totalAlkalinity
        self.cyanuricAcid = cyanuricAcid
        self.borates = borates
        self.turnoverHours = turnoverHours
        self.products = products
    }

    /// The range of total alkalinities, in mg/L.
    public static let totalAlkalinityRange = 25.0...1000
    /// The range of cyanuric acid, in mg/L.
    public static let cyanuricAcidRange = 0.0...300
    /// The range of borates, in mg/L.
    public static let boratesRange = 0.0...100
    /// The range of turnovers, in hours.
    public static let turnoverRange = 0.5...72

    /// Checks each number against its documented range.
    ///
    /// - Throws: The first ``AdviceNumbersError`` in the order of the fields.
    public func validate() throws(AdviceNumbersError) {
        let numbers: [(String, Double?, ClosedRange<Double>)] = [
            ("total alkalinity", totalAlkalinity, Self.totalAlkalinityRange),
            ("cyanuric acid", cyanuricAcid, Self.cyanuricAcidRange), ("borates", borates, Self.boratesRange),
            ("turnover in hours", turnoverHours, Self.turnoverRange),
        ]
        for (name, number, range) in numbers {
            if let number, !range.contains(number) { throw .outOfRange(name, number, range) }
        }
        for product in products {
            guard product.product.quantity != nil else { throw .productUnknown(product.product) }
            if let strength = product.strengthPercent,
                product.product.strengthRange.map({ !$0.contains(strength) }) ?? true
            {
                throw .strength(.strengthOutOfRange(product.product, strength))
            }
        }
    }
}

/// Why numbers for advice cannot be used.
@nonexhaustive
public enum AdviceNumbersError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A number is outside its range; its name, the value and the range.
    case outOfRange(String, Double, ClosedRange<Double>)
    /// No advice is given for this product.
    case productUnknown(DoseProduct)
    /// A product cannot have the given strength.
    case strength(DoseError)

    /// One sentence for a person: the subject, the value and what to do.
    public var description: String {
        switch self {
        case .outOfRange(let name, let value, let range):
            "The \(name) \(value) is not in \(range.lowerBound)…\(range.upperBound): check the value and its unit."
        case .productUnknown(let product):
            "No advice is given for \(product.name): name a product for chlorine or for pH."
        case .strength(let error): "\(error)"
        }
    }
}
