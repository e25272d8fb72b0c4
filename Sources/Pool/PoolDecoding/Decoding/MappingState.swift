import PoolModel

/// What a decoder remembers of a device.
struct MappingState: Sendable {
    /// A time that came on a separate topic.
    struct SeparateTime: Sendable {
        var field: PayloadField
        var receivedAt: Timestamp
        var isRetained: Bool
        /// The sources that have a value with this time: each uses it once.
        var takers: Set<Int> = []
    }

    /// A number that is not yet a complete value.
    struct IncompleteValue: Sendable {
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
    }

    /// A measurement that was returned to the caller.
    struct LastMeasurement: Sendable {
        var value: Double
        var sampledAt: Timestamp?
        var measurementID: String?
    }

    var times: [SeparateTime?]
    /// How many values in a row have waited in vain for each time.
    var missedTimes: [Int]
    var units: [SourceUnit?]
    var availability: [Bool?]
    var waiting: [Int: IncompleteValue] = [:]
    var lastMeasurements: QuantityMap<[LastMeasurement]> = [:]

    init(_ plan: MappingPlan) {
        times = Array(repeating: nil, count: plan.times.count)
        missedTimes = Array(repeating: 0, count: plan.times.count)
        units = Array(repeating: nil, count: plan.units.count)
        availability = Array(repeating: nil, count: plan.availability.count)
    }

    /// Available if all sources say so, not available if one says so.
    var isAvailable: Bool? {
        if availability.contains(false) { return false }
        return availability.isEmpty || availability.contains(nil) ? nil : true
    }
}
