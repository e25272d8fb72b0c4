import PoolModel

/// Collects the measurement from the fields of one message.
struct PayloadInterpreter {
    private(set) var values: QuantityMap<Double> = [:]
    private(set) var remarks: [PayloadWarning] = []
    private(set) var timeField: PayloadField?
    private var outliers: QuantityMap<DecodedPayload.Quarantined> = [:]
    /// The units that the message names, as written.
    private var units: QuantityMap<String> = [:]
    private let remarkCountMax: Int

    init(remarkCountMax: Int) {
        self.remarkCountMax = remarkCountMax
    }

    /// The implausible values, in the order of the quantities.
    var quarantined: [DecodedPayload.Quarantined] { outliers.pairs.map(\.value) }

    mutating func read(_ fields: [PayloadField]) {
        readUnits(fields)
        for field in fields {
            switch field.meaning {
            case .quantity(let quantity): read(field, as: quantity)
            case .unit: break
            case .time where timeField == nil: timeField = field
            case .time: note(.repeatedTime(key: field.key.shortened))
            case nil: note(.unknownKey(field.key.shortened))
            }
        }
    }

    /// Takes the units: a unit of no particular quantity is that of the quantity that has such units, or of the only one
    /// in the message.
    private mutating func readUnits(_ fields: [PayloadField]) {
        let named = Set(
            fields.compactMap { field -> Quantity? in
                if case .quantity(let quantity) = field.meaning { quantity } else { nil }
            })
        for field in fields {
            guard case .unit(let owner) = field.meaning, case .text(let text) = field.value,
                !MappingWord.isNoValue(text)
            else { continue }
            let own = Quantity.allCases.first { named.contains($0) && $0.unit(text) != nil }
            guard let quantity = owner ?? own ?? named.first,
                owner != nil || own == quantity || named.count == 1
            else {
                note(.unknownKey(field.key.shortened))
                continue
            }
            units[quantity] = text
        }
    }

    /// Rejects a message that measures nothing: without a quantity, or with words instead of numbers.
    func requireMeasurement(in fields: [PayloadField]) throws(PayloadError) {
        guard values.isEmpty, outliers.isEmpty else { return }
        let namesQuantity = fields.contains { field in
            if case .quantity = field.meaning { true } else { false }
        }
        if namesQuantity {
            throw remarks.contains(where: \.isFault) ? .noUsableValue(remarks: remarks) : .noReading(remarks: remarks)
        }
        throw .noKnownQuantity(keys: fields.prefix(8).map(\.key.shortened))
    }

    mutating func note(_ remark: PayloadWarning) {
        if remarks.count < remarkCountMax { remarks.append(remark) }
    }

    private mutating func read(_ field: PayloadField, as quantity: Quantity) {
        guard values[quantity] == nil, outliers[quantity] == nil else {
            note(.repeatedQuantity(quantity, key: field.key.shortened))
            return
        }
        guard let number = number(of: field, as: quantity).map(quantity.takenIn) else { return }
        if let fault = ProbeFault(quantity, number) {
            outliers[quantity] = DecodedPayload.Quarantined(quantity: quantity, value: number, fault: fault)
        } else {
            values[quantity] = number
        }
    }

    /// The number of a field; nil and a remark if there is none.
    private mutating func number(of field: PayloadField, as quantity: Quantity) -> Double? {
        switch field.number() {
        case .success((let number, let written)):
            let text = written.isEmpty ? units[quantity] ?? "" : written
            if text.isEmpty { return quantity.standardValue(number, in: quantity.facts.unit(ofBare: number)) }
            if let unit = quantity.unit(text) { return quantity.standardValue(number, in: unit) }
            note(.foreignUnit(key: field.key.shortened, unit: text.shortened))
        case .failure(let flaw): note(flaw.remark)
        }
        return nil
    }
}
