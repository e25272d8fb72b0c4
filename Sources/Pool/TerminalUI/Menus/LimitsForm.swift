import PoolModel

/// The limits of one quantity of a device, checked while a person types them.
struct LimitsForm: Equatable, Sendable {
    /// The fields in their order on the page.
    enum Field: Int, CaseIterable, Sendable {
        case low
        case high
        case criticalLow
        case criticalHigh
        case alerting

        var name: String {
            switch self {
            case .low: "Low"
            case .high: "High"
            case .criticalLow: "Critical low"
            case .criticalHigh: "Critical high"
            case .alerting: "Alert"
            }
        }
    }

    let deviceID: DeviceID
    let quantity: Quantity
    /// The limits before.
    let old: Limits
    /// The limits that apply if the device has none of its own.
    let inherited: Limits
    private var entries: [Field: LineEntry]
    private(set) var field = Field.low

    init(_ device: WatchDevice, _ quantity: Quantity) {
        deviceID = device.id
        self.quantity = quantity
        old = device.limits(for: quantity)
        inherited = device.inheritedLimits(for: quantity)
        entries = [:]
        fill(old)
    }

    /// The text of a field; nil for the switch.
    func entry(_ field: Field) -> LineEntry? { entries[field] }

    /// Fills the fields with limits.
    mutating func fill(_ limits: Limits) {
        for (field, value) in [
            (Field.low, limits.low), (.high, limits.high), (.criticalLow, limits.criticalLow),
            (.criticalHigh, limits.criticalHigh),
        ] { entries[field] = LineEntry(quantity.text(value), limit: 8) }
    }

    /// Moves to the next field, or to the one before.
    mutating func move(by step: Int) {
        let fields = Field.allCases
        let place = (field.rawValue + step + fields.count) % fields.count
        field = fields[place]
    }

    /// Handles a key in the present field; returns whether the key was one for it.
    mutating func handle(_ key: Key) -> Bool {
        entries[field]?.handle(key, accepting: Self.isNumeric) ?? false
    }

    mutating func paste(_ text: String) {
        entries[field]?.paste(text, accepting: Self.isNumeric)
    }

    private static func isNumeric(_ character: Character) -> Bool {
        character.isASCII && character.isNumber || [".", ",", "-"].contains(character)
    }

    // MARK: What it says

    /// The number in a field; if it is nil, ``objection(to:)`` has the reason.
    func value(_ field: Field) -> Double? {
        guard objection(to: field) == nil else { return nil }
        return number(field)
    }

    private func number(_ field: Field) -> Double? {
        // An unchanged field keeps its exact value, including digits that are not shown.
        if let kept = old[field], entries[field]?.text == quantity.text(kept) { return kept }
        let text = entries[field]?.text.map { $0 == "," ? "." : $0 } ?? []
        guard let number = Double(String(text)), number.isFinite else { return nil }
        return quantity.typedValue(number)
    }

    /// What is wrong with one field alone, as text; nil if nothing is.
    func objection(to field: Field) -> String? {
        guard let text = entries[field]?.text else { return nil }
        if text.isEmpty { return "\(field.name) is empty: type a number" }
        guard let number = number(field) else { return "\(field.name) \(text) is not a number" }
        let digits = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }.dropFirst().first ?? ""
        if digits.count > quantity.decimals {
            let kept = quantity.decimals == 0 ? "no digits" : "\(quantity.decimals) digits at most"
            return "\(field.name): \(kept) after the point"
        }
        let range = quantity.plausibleRange
        guard range.contains(number) else {
            return "\(field.name): water has \(quantity.text(range.lowerBound)) to "
                + "\(quantity.textWithUnit(range.upperBound))"
        }
        return nil
    }

    /// The typed limits; nil if something is wrong with them.
    var limits: Limits? {
        guard let low = value(.low), let high = value(.high), let criticalLow = value(.criticalLow),
            let criticalHigh = value(.criticalHigh)
        else { return nil }
        let limits = Limits(criticalLow: criticalLow, low: low, high: high, criticalHigh: criticalHigh)
        return limits.isOrdered ? limits : nil
    }

    /// The first problem, as text; nil if the limits can be saved.
    var objection: String? {
        for field in Field.allCases {
            if let objection = objection(to: field) { return objection }
        }
        guard let low = value(.low), let high = value(.high), let criticalLow = value(.criticalLow),
            let criticalHigh = value(.criticalHigh)
        else { return nil }
        if low >= high { return "Low \(quantity.text(low)) must be below high \(quantity.text(high))" }
        if criticalLow > low {
            return "Critical low \(quantity.text(criticalLow)) must not be above low \(quantity.text(low))"
        }
        if criticalHigh < high {
            return "Critical high \(quantity.text(criticalHigh)) must not be below high \(quantity.text(high))"
        }
        return nil
    }

    /// Whether the typed limits differ from the old ones.
    var isChanged: Bool { limits != old }
}

extension Limits {
    /// The limit of a field; nil for the switch.
    fileprivate subscript(field: LimitsForm.Field) -> Double? {
        switch field {
        case .low: low
        case .high: high
        case .criticalLow: criticalLow
        case .criticalHigh: criticalHigh
        case .alerting: nil
        }
    }
}
