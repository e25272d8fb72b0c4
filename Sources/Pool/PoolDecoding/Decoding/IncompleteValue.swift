import PoolModel

/// A number that a source found in a message, and that is not yet a complete value.
struct IncompleteValue: Sendable {
    /// The index of the source in the plan.
    var index: Int
    var quantity: Quantity
    var number: Double
    var key: String
    var unit: SourceUnit?
    var time: SampleTime?
    var measurementID: String?
    var remarks: [PayloadWarning]
    var receivedAt: Timestamp
    var isRetained: Bool
    var hash: UInt64
    /// The topic that it came on, if its source reads several.
    var topic: String?
}

extension SampleTime {
    /// The time of a value by a field of a message; by its receipt if there is no field.
    init(
        _ field: PayloadField?, _ source: TimeSource?, of value: IncompleteValue,
        _ configuration: MappingDecoder.Configuration
    ) {
        self.init(
            field: field, form: source?.form ?? .automatic, zone: source?.zone, receivedAt: value.receivedAt,
            isRetained: value.isRetained, configuration: configuration.payload)
    }
}
