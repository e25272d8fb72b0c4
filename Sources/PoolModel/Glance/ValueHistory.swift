/// The values of one device over the last day, as many as a chart needs, in memory.
///
/// Memory is bounded whatever the device sends: the day is cut into slots, and of each slot the newest sample is kept.
/// Recording a sample twice changes nothing. What is drawn depends on the samples and a moment alone.
public struct ValueHistory: Hashable, Sendable {
    /// The shape of the charts.
    public struct Configuration: Hashable, Sendable {
        /// How far back the charts go, in seconds; one day.
        public var windowSeconds = 86_400
        /// How many columns the window is drawn in; 42, the width of the large face.
        public var columnCount = 42
        /// How many samples are kept for one column; their mean is drawn.
        public var slotsPerColumn = 8
        /// How many of the last samples the trend is taken from.
        public var trendSampleCount = 8
        /// The change over those samples that is no trend, as a share of the gauge's span; 0.8 %.
        public var deadBand = 0.008
        /// The change from which the trend is steep, as a share of the gauge's span.
        public var steepBand = 0.04

        /// Creates the default shape.
        public init() {}
    }

    /// One sample of one quantity.
    struct Sample: Hashable {
        var moment: Timestamp
        var value: Double
    }

    private let configuration: Configuration
    /// One sample for each slot, oldest first.
    private var slots: QuantityMap<[Sample]> = [:]
    /// The last samples in full, oldest first.
    private var recent: QuantityMap<[Sample]> = [:]

    /// Creates an empty history; the window is held within 1 s and a year, each count within 1 and 10,000.
    public init(configuration: Configuration = Configuration()) {
        var valid = configuration
        valid.windowSeconds = min(max(1, configuration.windowSeconds), 31_622_400)
        valid.columnCount = min(max(1, configuration.columnCount), 10_000)
        valid.slotsPerColumn = min(max(1, configuration.slotsPerColumn), 10_000)
        valid.trendSampleCount = min(max(1, configuration.trendSampleCount), 10_000)
        self.configuration = valid
    }

    /// Records a sample of some quantities, in any order of time; values that are not finite are left out.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - moment: The sample time, never later than the receipt: a sample from the future would push out the day.
    public mutating func record(_ values: QuantityMap<Double>, at moment: Timestamp) {
        for (quantity, value) in values.pairs where value.isFinite {
            let sample = Sample(moment: moment, value: value)
            insert(sample, of: quantity)
            insertRecent(sample, of: quantity)
        }
    }

    /// Records what a device measured last; values of unknown age are left out (X18).
    public mutating func record(_ readings: DeviceReadings) {
        for (quantity, latest) in readings.values.pairs {
            if let moment = latest.moment { record([quantity: latest.value], at: moment) }
        }
    }

    /// The values of the window that ends now, in equal columns, the newest last; nil is a gap.
    ///
    /// Empty when the window holds no sample. A sample from shortly after `now` belongs to the newest column.
    public func columns(of quantity: Quantity, now: Timestamp) -> [Double?] {
        let window = Int64(configuration.windowSeconds) * 1000
        let count = configuration.columnCount
        var sums = Array(repeating: (sum: 0.0, count: 0), count: count)
        for sample in slots[quantity] ?? [] {
            let age = now.milliseconds(since: sample.moment)
            guard age < window, age > -window / Int64(count) else { continue }
            let column = count - 1 - Int(max(0, age) * Int64(count) / window)
            sums[column] = (sums[column].sum + sample.value, sums[column].count + 1)
        }
        guard sums.contains(where: { $0.count > 0 }) else { return [] }
        return sums.map { $0.count == 0 ? nil : $0.sum / Double($0.count) }
    }

    /// The direction of the last samples, nil with fewer than three, or if all are of one moment.
    ///
    /// It is the rise of the line that fits them best, over their time, relative to the span of the gauge.
    public func trend(of quantity: Quantity, limits: Limits) -> Glance.Trend? {
        let span = limits.gaugeSpan(of: quantity)
        guard let samples = recent[quantity], samples.count >= 3, let first = samples.first, let last = samples.last,
            span > 0
        else { return nil }
        let times = samples.map { Double($0.moment.milliseconds(since: first.moment)) }
        let meanTime = times.reduce(0, +) / Double(times.count)
        let meanValue = samples.reduce(0) { $0 + $1.value } / Double(samples.count)
        let spread = times.reduce(0) { $0 + ($1 - meanTime) * ($1 - meanTime) }
        guard spread > 0 else { return nil }
        let common = zip(times, samples).reduce(0) { $0 + ($1.0 - meanTime) * ($1.1.value - meanValue) }
        let change = common / spread * Double(last.moment.milliseconds(since: first.moment)) / span
        switch change {
        case _ where change.magnitude < configuration.deadBand: return .steady
        case _ where change.magnitude < configuration.steepBand: return change < 0 ? .easing : .climbing
        default: return change < 0 ? .falling : .rising
        }
    }

    /// How many samples are kept; never more than the slots of a window and the last samples, for each quantity.
    var sampleCount: Int {
        Quantity.allCases.reduce(0) { $0 + (slots[$1]?.count ?? 0) + (recent[$1]?.count ?? 0) }
    }

    private mutating func insert(_ sample: Sample, of quantity: Quantity) {
        var samples = slots[quantity] ?? []
        let slot = slot(of: sample)
        if let index = samples.lastIndex(where: { self.slot(of: $0) <= slot }) {
            if self.slot(of: samples[index]) < slot {
                samples.insert(sample, at: index + 1)
            } else if samples[index].moment <= sample.moment {
                samples[index] = sample
            }
        } else {
            samples.insert(sample, at: 0)
        }
        let slotCount = Int64(configuration.columnCount * configuration.slotsPerColumn)
        if let newest = samples.last {
            let oldest = self.slot(of: newest) &- slotCount
            samples.removeFirst(samples.firstIndex { self.slot(of: $0) >= oldest } ?? 0)
        }
        slots[quantity] = samples
    }

    private mutating func insertRecent(_ sample: Sample, of quantity: Quantity) {
        var samples = recent[quantity] ?? []
        if samples.contains(where: { $0.moment == sample.moment }) { return }
        let index = samples.lastIndex { $0.moment < sample.moment }.map { $0 + 1 } ?? 0
        samples.insert(sample, at: index)
        if samples.count > configuration.trendSampleCount { samples.removeFirst() }
        recent[quantity] = samples
    }

    private func slot(of sample: Sample) -> Int64 {
        let slotCount = Int64(configuration.columnCount * configuration.slotsPerColumn)
        let width = max(1, Int64(configuration.windowSeconds) * 1000 / slotCount)
        return sample.moment.milliseconds.flooredDivision(by: width)
    }
}

extension Limits {
    /// The width of a gauge: the normal range and one and a half of its widths on either side, as far as water goes.
    func gaugeSpan(of quantity: Quantity) -> Double {
        let margin = 1.5 * (high - low)
        let possible = quantity.plausibleRange
        return max(high, min(possible.upperBound, high + margin)) - min(low, max(possible.lowerBound, low - margin))
    }
}
