/// At most one value for each quantity, in the order of ``Quantity/allCases``.
///
/// Unlike a dictionary it always iterates in the same order. In JSON it is an object whose keys are the raw values of
/// ``Quantity``; an absent quantity is an absent key, never a zero.
public struct QuantityMap<Value> {
    private var slots: [Value?]

    /// Creates an empty map.
    public init() {
        slots = Array(repeating: nil, count: Quantity.allCases.count)
    }

    /// The value for a quantity, or nil.
    public subscript(quantity: Quantity) -> Value? {
        get { slots[quantity.index] }
        set { slots[quantity.index] = newValue }
    }

    /// Whether no quantity has a value.
    public var isEmpty: Bool { slots.allSatisfy { $0 == nil } }

    /// The pairs that have a value, in the order of the quantities.
    public var pairs: [(quantity: Quantity, value: Value)] {
        Quantity.allCases.compactMap { quantity in
            self[quantity].map { (quantity: quantity, value: $0) }
        }
    }

    /// A map with each value transformed; quantities without a value, or whose result is nil, stay absent.
    public func compactMapValues<Result>(_ transform: (Value) throws -> Result?) rethrows -> QuantityMap<Result> {
        var result = QuantityMap<Result>()
        for (quantity, value) in pairs {
            result[quantity] = try transform(value)
        }
        return result
    }
}

extension QuantityMap: ExpressibleByDictionaryLiteral {
    /// Creates a map from pairs; a later pair replaces an earlier one of the same quantity.
    public init(dictionaryLiteral elements: (Quantity, Value)...) {
        self.init()
        for (quantity, value) in elements {
            self[quantity] = value
        }
    }
}

extension QuantityMap: Sendable where Value: Sendable {}
extension QuantityMap: Equatable where Value: Equatable {}
extension QuantityMap: Hashable where Value: Hashable {}

extension QuantityMap: Encodable where Value: Encodable {
    /// Writes an object with one member for each quantity that has a value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: QuantityKey.self)
        for (quantity, value) in pairs {
            try container.encode(value, forKey: QuantityKey(quantity))
        }
    }
}

extension QuantityMap: Decodable where Value: Decodable {
    /// Reads the members whose keys are quantities; other members are ignored.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: QuantityKey.self)
        for quantity in Quantity.allCases {
            self[quantity] = try container.decodeIfPresent(Value.self, forKey: QuantityKey(quantity))
        }
    }
}

private struct QuantityKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ quantity: Quantity) { stringValue = quantity.rawValue }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
