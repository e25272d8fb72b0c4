import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// The data of charts and lists (V3, P83, P85).
@Suite(.longWork)
struct SeriesTests {
    private let place: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path("history.sqlite"))
    }

    @Test
    func `few samples come as they are, those of one time in the order of arrival`() throws {
        try store.record([sample(3, at: 300), sample(1, at: 100), sample(4, at: 300), sample(9, at: 900)])

        let series = try store.statistics(query(from: 100, through: 899, pointsMax: 3))

        #expect(series.bucketMilliseconds == nil)
        #expect(
            series.points.map(\.raw) == [
                SampleStatistics(1, at: Timestamp(milliseconds: 100)),
                SampleStatistics(3, at: Timestamp(milliseconds: 300)),
                SampleStatistics(4, at: Timestamp(milliseconds: 300)),
            ])
        #expect(try store.statistics(query(from: 900, through: 100, pointsMax: 3)).points.isEmpty)
        #expect(try store.statistics(query(of: elm, from: 0, through: 100, pointsMax: 3)).points.isEmpty)
    }

    @Test
    func `of the samples of one time the one that arrived last is the last of its bucket`() throws {
        // Each is added to the rollups apart from the others.
        for value in 1...3 {
            try store.record([sample(Double(value), at: 300)])
            try store.rollUpAll()
        }
        try store.record((1...20).map { sample(9, at: $0 * 86_400_000) })
        try store.rollUpAll()

        let series = try store.statistics(query(from: 0, through: 1_814_399_999, pointsMax: 4))

        #expect(series.bucketMilliseconds != nil)
        #expect(series.points.first?.raw.first == 1)
        let samples = try store.statistics(query(from: 0, through: 86_399_999, pointsMax: 2))
        #expect(samples.points.map(\.raw.last) == [3])
    }

    /// For every level, share of rolled-up readings, late arrivals and calibrations, the points are the same as those
    /// computed from the samples.
    @Test(arguments: 0..<12)
    func `a series is what its samples say`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let days = [0.01, 0.2, 3, 40][Int(seed % 4)]
        let span = Int64(days * 86_400_000)
        let origin = Int64.random(in: -span...1_800_000_000_000, using: &random)
        let samples = (0..<1500).map { _ in
            (
                time: origin + Int64.random(in: 0...span, using: &random),
                value: Double.random(in: -9...9, using: &random)
            )
        }
        for (number, batch) in stride(from: 0, to: samples.count, by: 100).enumerated() {
            try store.record(samples[batch..<(batch + 100)].map { sample($0.value, at: $0.time) })
            if number < 12 { try store.rollUp(rowsMax: 37 * (number + 1)) }
        }
        let calibrations = CalibrationSeries(
            (0..<4).map { _ in
                calibration(
                    from: origin + Int64.random(in: 0...span, using: &random),
                    slope: Double.random(in: 0.5...2, using: &random), offset: Double.random(in: -1...1, using: &random)
                )
            })

        for pointsMax in [2, 7, 50, 300] {
            let first = origin + Int64.random(in: -span / 8...span / 2, using: &random)
            let last = first + Int64.random(in: span / 4...span, using: &random)
            let series = try store.statistics(
                query(from: first, through: last, pointsMax: pointsMax, calibrations: calibrations))

            let width = try #require(series.bucketMilliseconds)
            let wanted = samples.filter { (first...last).contains($0.time) }
            #expect(series.points.count <= pointsMax)
            #expect(series.sampleCount == wanted.count)
            #expect(series.points.allSatisfy { $0.isExact && $0.raw.firstAt >= $0.start })
            for point in series.points {
                let own = wanted.filter { $0.time.floored(by: width) * width == point.start.milliseconds }
                expect(point, toSay: own, calibrations)
            }
        }
    }

    private func expect(
        _ point: SeriesStatistics.Point, toSay samples: [(time: Int64, value: Double)],
        _ calibrations: CalibrationSeries
    ) {
        let raw: [Double] = samples.map(\.value)
        let corrected: [Double] = samples.map { sample in
            calibrations.corrected(sample.value, sampledAt: Timestamp(milliseconds: sample.time))
        }
        let mean: Double = corrected.reduce(0, +) / Double(samples.count)
        let earliest = samples.map(\.time).min()
        let latest = samples.map(\.time).max()
        #expect(point.raw.count == samples.count)
        #expect(point.raw.minimum == raw.min())
        #expect(point.raw.maximum == raw.max())
        #expect(point.corrected.minimum == corrected.min())
        #expect(point.corrected.maximum == corrected.max())
        #expect(abs(point.corrected.mean - mean) < 1e-9)
        #expect(point.raw.first == samples.first { $0.time == earliest }?.value)
        #expect(point.raw.last == samples.last { $0.time == latest }?.value)
    }

    @Test
    func `a series has the corrected values of its statistics, and ends with the newest one`() throws {
        try store.record((0..<200).map { sample(Double($0 % 7), at: $0 * 30_000) })
        try store.rollUpAll()
        let query = query(
            from: 0, through: 200 * 30_000, pointsMax: 10,
            calibrations: CalibrationSeries([calibration(from: 0, slope: 2, offset: 1)]))
        let statistics = try store.statistics(query)
        let series = try store.series(query)

        #expect(series.quantity == query.quantity && series.first == query.first && series.last == query.last)
        #expect(series.bucketMilliseconds == statistics.bucketMilliseconds && series.points.count > 2)
        #expect(series.points.map(\.start) == statistics.points.map(\.start))
        #expect(series.points.map(\.least) == statistics.points.map(\.corrected.minimum))
        #expect(series.points.map(\.greatest) == statistics.points.map(\.corrected.maximum))
        #expect(series.points.map(\.mean) == statistics.points.map(\.corrected.mean))
        #expect(series.points.map(\.rawMean) == statistics.points.map(\.raw.mean))
        #expect(series.points.reduce(0) { $0 + $1.count } == 200)
        #expect(series.newest == 2 * Double(199 % 7) + 1)
    }

    /// With buckets of half an hour, the second gap is within one of them.
    @Test(arguments: [(10_000, [72_000_000, 108_300_001]), (100, [72_000_000])] as [(Int, [Int64])])
    func `silence of more than three expected intervals is a gap`(pointsMax: Int, expected: [Int64]) throws {
        let minutes = Array(0..<600) + Array(1200..<1800)
        try store.record(minutes.map { sample(1, at: Int64($0) * 60_000) })
        try store.record([sample(1, at: 1803 * 60_000 - 60_000), sample(1, at: 1805 * 60_000 + 1)])
        try store.rollUpAll()

        let series = try store.statistics(query(from: 0, through: .max, pointsMax: pointsMax))
        let gaps = series.points.filter(\.isAfterGap).map { $0.raw.firstAt.milliseconds }

        // There is no gap at exactly three intervals, and there is one a millisecond later.
        #expect(gaps == expected)
        #expect(series.points.first?.isAfterGap == false)
    }

    @Test
    func `a new, changed or removed calibration changes what is read, never what is stored`() throws {
        // P83
        try store.record((0..<200).map { sample(7, at: $0 * 30_000) })
        try store.rollUpAll()
        let stored = try store.all()
        func means(_ calibrations: CalibrationSeries) throws -> Set<Double> {
            try Set(
                store.statistics(query(from: 0, through: .max, pointsMax: 10, calibrations: calibrations)).points
                    .map(\.corrected.mean))
        }

        #expect(try means(CalibrationSeries([calibration(from: 0, slope: 2, offset: 1)])) == [15])
        #expect(try means(CalibrationSeries([calibration(from: 0, slope: 1, offset: 0.5)])) == [7.5])
        #expect(try means(CalibrationSeries()) == [7])
        #expect(try store.all() == stored)
        let corrections = Corrections([oak: [.ph: CalibrationSeries([calibration(from: 3000, slope: 2, offset: 0)])]])
        let page = try store.newest(limit: 200, corrections: corrections)
        #expect(page.map { $0.corrected[.ph] } == Array(repeating: 14, count: 199) + [7])
        #expect(page.allSatisfy { $0.reading.values[.ph] == 7 })
    }

    @Test
    func `infinite values and the ends of time do not break a series`() throws {
        for (time, value) in [(Int64.min, 1), (0, .infinity), (1, -.infinity), (.max, 2)] as [(Int64, Double)] {
            try store.record(sample(value, at: time))
        }
        try store.rollUpAll()

        let all = try store.statistics(query(from: .min, through: .max, pointsMax: 2))
        let middle = try store.statistics(query(from: -5, through: 5, pointsMax: 9))

        #expect(all.sampleCount == 4)
        #expect(middle.points.map(\.raw.first) == [.infinity, -.infinity])
    }

    @Test
    func `pages go from the newest back, in a stable order under equal times`() throws {
        // P85
        for (number, time) in [50, 20, 50, 90, 20, 50].enumerated() {
            let device = number % 2 == 0 ? oak : elm
            try store.record(
                Arrival(
                    reading: sampleReading([.ph: Double(number)], of: device, at: Int64(time)),
                    payloadHash: UInt64(number), delivery: nil))
        }
        var seen: [Double?] = []
        var last: HistoryPosition?

        while true {
            let page = try store.newest(after: last, limit: 2, corrections: Corrections())
            guard let end = page.last else { break }
            seen += page.map { $0.reading.values[.ph] }
            last = HistoryPosition(end.reading)
            // Readings that arrive meanwhile do not shift the pages.
            try store.record(dated(1000 + Int64(seen.count)))
        }

        #expect(seen == [3, 5, 2, 0, 4, 1])
        #expect(
            try store.newest(of: elm, limit: 9, corrections: Corrections()).map { $0.reading.values[.ph] } == [3, 5, 1])
    }

    private func query(
        of device: DeviceID = oak, from first: Int64, through last: Int64, pointsMax: Int,
        calibrations: CalibrationSeries = CalibrationSeries()
    ) -> SeriesQuery {
        SeriesQuery(
            deviceID: device, quantity: .ph, from: Timestamp(milliseconds: first),
            through: Timestamp(milliseconds: last),
            pointsMax: pointsMax, expectedIntervalSeconds: 60, calibrations: calibrations)
    }
}
