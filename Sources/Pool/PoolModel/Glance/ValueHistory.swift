/// The values of one device over the last day, as many as a chart needs, in memory.
///
/// Memory is limited whatever the device sends: the day is divided into slots. Each slot keeps its newest sample, the
/// least and the greatest value. Recording a sample twice changes nothing. The chart depends only on the samples and
/// a time.
public struct ValueHistory: Hashable, Sendable {
    /// The dimensions of the charts.
    public struct Configuration: Hashable, Sendable {
        /// The time span of the charts in seconds; one day.
        public var windowSeconds = 86_400
        /// The number of columns; 42, the width of the large face.
        public var columnCount = 42
        /// The number of samples that are kept for one column; the column shows their mean.
        public var slotsPerColumn = 8

        /// Creates the default dimensions.
        public init() {}
    }

    /// The data of one quantity in one slot.
    private struct Sample: Hashable {
        /// The time of the newest sample.
        var moment: Timestamp
        /// The value of the newest sample, or the mean of a short time.
        var value: Double
        /// The least and the greatest value in the slot.
        var range: ClosedRange<Double>
    }

    private let configuration: Configuration
    /// One sample for each slot, oldest first.
    private var slots: QuantityMap<[Sample]> = [:]

    /// Creates an empty history; the window is limited to 1 s…1 year, each count to 1…10,000.
    public init(configuration: Configuration = Configuration()) {
        var valid = configuration
        valid.windowSeconds = min(max(1, configuration.windowSeconds), 31_622_400)
        valid.columnCount = min(max(1, configuration.columnCount), 10_000)
        valid.slotsPerColumn = min(max(1, configuration.slotsPerColumn), 10_000)
        self.configuration = valid
    }

    /// Records a sample of some quantities, in any order of time; values that are not finite are left out.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - moment: The sample time, never later than the receipt: a sample from the future would displace the day.
    public mutating func record(_ values: QuantityMap<Double>, at moment: Timestamp) {
        for (quantity, value) in values.pairs where value.isFinite {
            insert(Sample(moment: moment, value: value, range: value...value), of: quantity)
        }
    }

    /// Records the summary of a short time; nothing if its numbers are not finite or not in order.
    ///
    /// - Parameters:
    ///   - quantity: The quantity.
    ///   - mean: The mean of the values.
    ///   - least: The least of them.
    ///   - greatest: The greatest of them.
    ///   - moment: The time at which the mean is shown.
    public mutating func record(
        _ quantity: Quantity, mean: Double, least: Double, greatest: Double, at moment: Timestamp
    ) {
        guard mean.isFinite, least.isFinite, greatest.isFinite, least <= greatest else { return }
        insert(Sample(moment: moment, value: mean, range: least...greatest), of: quantity)
    }

    /// Records the newest values of a device; values of unknown age are left out.
    public mutating func record(_ readings: DeviceReadings) {
        for (quantity, latest) in readings.values.pairs {
            if let moment = latest.moment { record([quantity: latest.value], at: moment) }
        }
    }

    /// The values of the window that ends now, in equal columns, the newest last; nil is a gap.
    ///
    /// A column is the mean of the kept samples of its time. The last column that is not empty is the newest value
    /// itself if its time is known, because a mean would hide it. The result is empty if the window has no sample. A
    /// sample from shortly after `now` belongs to the newest column.
    public func columns(of quantity: Quantity, endingWith newest: LatestValue? = nil, now: Timestamp) -> [Double?] {
        let count = configuration.columnCount
        var sums = Array(repeating: (sum: 0.0, count: 0), count: count)
        for sample in slots[quantity] ?? [] {
            guard let column = column(of: sample.moment, now: now) else { continue }
            sums[column] = (sums[column].sum + sample.value, sums[column].count + 1)
        }
        guard sums.contains(where: { $0.count > 0 }) else { return [] }
        var columns = sums.map { $0.count == 0 ? nil : $0.sum / Double($0.count) }
        if let newest, newest.value.isFinite, let last = newest.moment.flatMap({ column(of: $0, now: now) }) {
            columns[last] = newest.value
            // The mean of a short time may be shown later than the newest value in it.
            for column in last + 1..<max(last + 1, count) { columns[column] = nil }
        }
        return columns
    }

    /// The least and the greatest value of the window that ends now, including the newest value if it is of that
    /// time, or nil.
    public func range(
        of quantity: Quantity, endingWith newest: LatestValue? = nil, now: Timestamp
    ) -> ClosedRange<Double>? {
        var ranges = (slots[quantity] ?? []).filter { column(of: $0.moment, now: now) != nil }.map(\.range)
        if let newest, newest.value.isFinite, let moment = newest.moment, column(of: moment, now: now) != nil {
            ranges.append(newest.value...newest.value)
        }
        guard let least = ranges.map(\.lowerBound).min(), let greatest = ranges.map(\.upperBound).max() else {
            return nil
        }
        return least...greatest
    }

    /// The number of kept samples; at most the slots of a window plus one, for each quantity.
    var sampleCount: Int { Quantity.allCases.reduce(0) { $0 + (slots[$1]?.count ?? 0) } }

    /// The column for a time, nil if it is outside the window.
    private func column(of moment: Timestamp, now: Timestamp) -> Int? {
        let window = Int64(configuration.windowSeconds) * 1000
        let count = Int64(configuration.columnCount)
        let age = now.milliseconds(since: moment)
        guard age < window, age > -window / count else { return nil }
        return Int(count - 1 - max(0, age) * count / window)
    }

    private mutating func insert(_ sample: Sample, of quantity: Quantity) {
        var samples = slots[quantity] ?? []
        let slot = slot(of: sample)
        if let index = samples.lastIndex(where: { self.slot(of: $0) <= slot }) {
            if self.slot(of: samples[index]) < slot {
                samples.insert(sample, at: index + 1)
            } else {
                let old = samples[index]
                let least = min(old.range.lowerBound, sample.range.lowerBound)
                let greatest = max(old.range.upperBound, sample.range.upperBound)
                samples[index] = old.moment <= sample.moment ? sample : old
                samples[index].range = least...greatest
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

    private func slot(of sample: Sample) -> Int64 {
        let slotCount = Int64(configuration.columnCount * configuration.slotsPerColumn)
        let width = max(1, Int64(configuration.windowSeconds) * 1000 / slotCount)
        return sample.moment.milliseconds.flooredDivision(by: width)
    }
}
