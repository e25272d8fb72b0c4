import Testing

@testable import PoolModel
@testable import WaterChemistry

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

private let day: Int64 = 86_400_000
private func at(_ days: Int64) -> Timestamp { Timestamp(milliseconds: days * day) }

private func offset(_ value: Double, from days: Int64) -> Calibration {
    Calibration(
        slope: 1, offset: value, method: .zeroPoint, points: [.init(measured: 7, reference: 7 + value)],
        validFrom: at(days), madeAt: at(days), author: "Ana")
}

@Suite struct CalibrationSeriesTests {
    @Test func `each calibration holds until the next begins, and none before the first`() throws {
        let series = CalibrationSeries([offset(0.2, from: 20), offset(0.1, from: 10)])
        #expect(series.corrected(7, sampledAt: Timestamp(milliseconds: 10 * day - 1)) == 7)
        #expect(series.corrected(7, sampledAt: at(10)) == 7.1)
        #expect(series.corrected(7, sampledAt: Timestamp(milliseconds: 20 * day - 1)) == 7.1)
        #expect(series.corrected(7, sampledAt: at(20)) == 7.2)
    }

    @Test func `a full series loses its oldest only by consent`() throws {
        var series = CalibrationSeries()
        for days in 1...Int64(CalibrationSeries.countMax) {
            let (next, dropped) = try series.adding(offset(0.1, from: days), for: .ph)
            #expect(dropped == nil)
            series = next
        }
        let full = series
        #expect(throws: CalibrationSeriesError.full(limit: 52, oldest: at(1))) {
            try full.adding(offset(0, from: 99), for: .ph)
        }
        #expect(throws: CalibrationSeriesError.olderThanAll(at(0), oldest: at(1))) {
            try full.adding(offset(0, from: 0), for: .ph, dropsOldest: true)
        }
        let (after, dropped) = try full.adding(offset(0, from: 99), for: .ph, dropsOldest: true)
        #expect(dropped?.validFrom == at(1))
        #expect(after.versions.count == 52)
        #expect(after.versions.first?.validFrom == at(2))
        #expect(after.versions.last?.validFrom == at(99))
    }

    // X22: each edit takes effect, or an error says why not.
    @Test func `X22 removing takes effect, and nothing is overwritten`() throws {
        let series = CalibrationSeries([offset(0.1, from: 10), offset(0.2, from: 20)])
        #expect(try series.removing(startingAt: at(20)).corrected(7, sampledAt: at(30)) == 7.1)
        #expect(throws: CalibrationSeriesError.missing(at(11), known: [at(10), at(20)])) {
            try series.removing(startingAt: at(11))
        }
        #expect(throws: CalibrationSeriesError.startTaken(at(10))) {
            try series.adding(offset(0.3, from: 10), for: .ph)
        }
    }

    @Test func `an impossible calibration gets into no series`() {
        let steep = Calibration(
            slope: -1, offset: 0, method: .manual, points: [], validFrom: at(1), madeAt: at(1), author: "")
        #expect(throws: CalibrationSeriesError.invalid(at(1), .slopeNotPositive(-1))) {
            try CalibrationSeries().adding(steep, for: .ph)
        }
    }

    @Test func `a stored series comes back sorted, and one that would lose a calibration is refused`() throws {
        let series = CalibrationSeries([offset(0.1, from: 10), offset(0.2, from: 20)])
        let bytes = try JSONEncoder().encode(series)
        #expect(try JSONDecoder().decode(CalibrationSeries.self, from: bytes) == series)

        let twice = try JSONEncoder().encode(["versions": [offset(0.1, from: 10), offset(0.2, from: 10)]])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(CalibrationSeries.self, from: twice) }
        let backward = try JSONEncoder().encode(["versions": [offset(0.2, from: 20), offset(0.1, from: 10)]])
        #expect(try JSONDecoder().decode(CalibrationSeries.self, from: backward) == series)
    }

    @Test func `the age counts from when the probe was compared`() {
        var made = offset(0.1, from: 10)
        made.validFrom = at(2)
        #expect(made.age(for: .ph, at: at(5)).milliseconds == 0)
        let week = made.age(for: .ph, at: at(17))
        #expect(week.days == 7)
        #expect(week.verdict == .fresh)
        #expect(made.age(for: .ph, at: Timestamp(milliseconds: 17 * day + 1)).verdict == .due)
        #expect(made.age(for: .ph, at: at(24)).verdict == .due)
        #expect(made.age(for: .ph, at: at(25)).verdict == .overdue)
        #expect(Quantity.ph.facts.calibrationDays.after(.twoPoint) == 30)
        #expect(week.sentence(in: .english) == "Calibrated 7 days ago: the next one is due after 7 days.")
    }
}
