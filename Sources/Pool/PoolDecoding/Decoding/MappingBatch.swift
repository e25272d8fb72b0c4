import PoolModel

/// The measurements from one message: values with the same time form one measurement.
struct MappingBatch {
    private(set) var readings: [DecodedPayload] = []
    private(set) var repeated: Set<Quantity> = []

    /// The measurements by their times, those of the same time as they came.
    var readingsInOrder: [DecodedPayload] {
        readings.enumerated().sorted { left, right in
            let moments = [left, right].map { $0.element.sampledAt ?? $0.element.receivedAt }
            return (moments[0], left.offset) < (moments[1], right.offset)
        }.map(\.element)
    }

    mutating func noteRepeated(_ quantity: Quantity) { repeated.insert(quantity) }

    /// Adds a value to those with the same message and time.
    mutating func add(
        _ value: Double, of waiting: IncompleteValue, at time: SampleTime, remarkCountMax: Int
    ) {
        let quantity = waiting.quantity
        let value = quantity.takenIn(value)
        let index =
            readings.lastIndex { reading in
                reading.payloadHash == waiting.hash && reading.sampledAt == time.moment
                    && reading.timeQuality == time.quality && reading.receivedAt == waiting.receivedAt
                    && reading.isRetained == waiting.isRetained && reading.values[quantity] == nil
                    && !reading.quarantined.contains { $0.quantity == quantity }
            } ?? readings.count
        if index == readings.count {
            readings.append(
                DecodedPayload(
                    values: [:], sampledAt: time.moment, timeQuality: time.quality, receivedAt: waiting.receivedAt,
                    isRetained: waiting.isRetained, format: .mapped, quarantined: [], remarks: [],
                    payloadHash: waiting.hash))
        }
        if let fault = ProbeFault(quantity, value) {
            readings[index].quarantined.append(
                DecodedPayload.Quarantined(quantity: quantity, value: value, fault: fault))
        } else {
            readings[index].values[quantity] = value
        }
        for remark in waiting.remarks + [time.remark].compactMap(\.self) {
            note(remark, at: index, countMax: remarkCountMax)
        }
    }

    /// Adds remarks about other parts of the message to its measurement.
    mutating func note(_ remarks: [PayloadWarning], hash: UInt64, countMax: Int) -> Bool {
        guard let index = readings.lastIndex(where: { $0.payloadHash == hash }) else { return false }
        for remark in remarks { note(remark, at: index, countMax: countMax) }
        return true
    }

    private mutating func note(_ remark: PayloadWarning, at index: Int, countMax: Int) {
        guard readings[index].remarks.count < countMax, !readings[index].remarks.contains(remark) else { return }
        readings[index].remarks.append(remark)
    }
}
