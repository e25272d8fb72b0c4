import Testing

@testable import PoolModel
@testable import WaterChemistry

private let start = Timestamp(milliseconds: 1_780_315_200_000)

func calibration(
    _ method: Calibration.Method, _ pairs: [(Double, Double)], for quantity: Quantity = .ph, isForced: Bool = false
) throws(CalibrationError) -> CalibrationResult {
    try Calibration.computed(
        method, from: pairs.map { Calibration.Point(measured: $0.0, reference: $0.1) }, for: quantity,
        validFrom: start, madeAt: start, author: "Ana", isForced: isForced)
}

@Suite struct CalibrationComputingTests {
    @Test func `P76 a zero point is an offset alone`() throws {
        let made = try calibration(.zeroPoint, [(6.8, 7.0)]).calibration
        #expect(made.slope == 1)
        #expect((made.offset - 0.2).magnitude < 1e-12)
    }

    @Test func `P77 two points give slope 1.0714 and are met to 1e-12`() throws {
        let made = try calibration(.twoPoint, [(4.2, 4.0), (9.8, 10)])
        #expect((made.calibration.slope - 6 / 5.6).magnitude < 1e-12)
        #expect(made.residuals.allSatisfy { $0.magnitude < 1e-12 })
        #expect(made.rSquared == nil)
    }

    @Test func `the golden values of two buffers come out to the last digit given`() throws {
        let acid = try calibration(.twoPoint, [(7.12, 7.00), (4.20, 4.01)])
        #expect((acid.calibration.slope - 1.02397).magnitude < 0.000005)
        #expect((acid.calibration.offset - -0.29068).magnitude < 0.000005)
        #expect((acid.calibration.corrected(7.35) - 7.2355).magnitude < 0.00005)
        #expect((Electrode.efficiency(ofSlope: acid.calibration.slope) - 97.7).magnitude < 0.05)
        #expect(acid.isGood)

        let alkaline = try calibration(.twoPoint, [(7.12, 7.00), (9.80, 10.01)])
        #expect((alkaline.calibration.slope - 1.1231).magnitude < 0.00005)
        #expect((alkaline.calibration.offset - -0.9967).magnitude < 0.0001)
        let grades = alkaline.verdicts.compactMap { if case .electrodeSlope(_, let grade) = $0 { grade } else { nil } }
        #expect(grades == [.maintain])
        #expect(alkaline.verdicts.contains { $0.sentence(in: .english).contains("89.0 %") })
    }

    @Test func `P78 a seeded line is found again by two points and by regression`() throws {
        var generator = SplitMix64(seed: 78)
        for _ in 0..<500 {
            let slope = Double.random(in: 0.96...1.15, using: &generator)
            let offset = Double.random(in: -0.3...0.3, using: &generator) - 7 * (slope - 1)
            let count = Int.random(in: 3...16, using: &generator)
            let pairs = (0..<count).map { index in
                let measured = 4 + 6 * Double(index) / Double(count - 1)
                return (measured, measured * slope + offset)
            }
            let line = try calibration(.regression, pairs)
            #expect((line.calibration.slope - slope).magnitude < 1e-9)
            #expect((line.calibration.offset - offset).magnitude < 1e-9)
            #expect((line.rSquared ?? 0) > 0.999_999)
            let ends = try calibration(.twoPoint, [pairs[0], pairs[count - 1]])
            let raw = Double.random(in: 4...10, using: &generator)
            #expect((ends.calibration.corrected(raw) - (raw * slope + offset)).magnitude < 1e-9)
        }
    }

    @Test func `least squares leave residuals without sum and without slope`() throws {
        let made = try calibration(.regression, [(650.5, 660), (700, 720), (752, 748), (799, 820)], for: .orp)
        #expect(made.residuals.reduce(0, +).magnitude < 1e-9)
        let weighted = zip(made.residuals, made.calibration.points).map { $0 * $1.measured }
        #expect(weighted.reduce(0, +).magnitude < 1e-6)
        #expect(made.verdicts.contains { if case .poorFit = $0 { true } else { false } })
    }

    @Test func `a scale goes through zero, for chlorine alone`() throws {
        #expect(try calibration(.scale, [(0.8, 1.2)], for: .chlorine).calibration.slope == 1.2 / 0.8)
        #expect(throws: CalibrationError.methodUnsuitable(.scale, .ph)) { try calibration(.scale, [(7, 7.1)]) }
        #expect(throws: CalibrationError.pointsTooClose(.chlorine, span: 0.1, minimum: 0.3)) {
            try calibration(.scale, [(0.1, 1)], for: .chlorine)
        }
    }

    // P82 and X16: impossible input is rejected with its reason.
    @Test func `P82 X16 impossible input is refused with the reason`() {
        #expect(throws: CalibrationError.measuredEqual(.ph, 7)) { try calibration(.twoPoint, [(7, 7), (7, 10)]) }
        #expect(throws: CalibrationError.measuredEqual(.ph, 7)) {
            try calibration(.regression, [(7, 7), (7, 10), (7, 4)])
        }
        #expect(throws: CalibrationError.notFinite) { try calibration(.zeroPoint, [(.nan, 7)]) }
        #expect(throws: CalibrationError.notFinite) { try calibration(.twoPoint, [(7, 7), (10, .infinity)]) }
        #expect(throws: CalibrationError.slopeNotPositive(-1)) { try calibration(.twoPoint, [(10, 7), (7, 10)]) }
        #expect(throws: CalibrationError.implausible(.ph, 14.5)) { try calibration(.zeroPoint, [(7, 14.5)]) }
        #expect(throws: CalibrationError.pointCount(.regression, 2)) {
            try calibration(.regression, [(4, 4), (7, 7)])
        }
        #expect(throws: CalibrationError.pointCount(.regression, 17)) {
            try calibration(.regression, (0..<17).map { (Double($0) / 2, Double($0) / 2) })
        }
        #expect(throws: CalibrationError.pointsTooClose(.ph, span: 0.25, minimum: 0.5)) {
            try calibration(.twoPoint, [(7, 7), (7.25, 7.25)])
        }
        #expect(throws: CalibrationError.slopeOutOfBounds(.temperature, 4, 0.5...2)) {
            try calibration(.twoPoint, [(0, 0), (10, 40)], for: .temperature)
        }
        #expect(throws: CalibrationError.self) { try calibration(.zeroPoint, [(20, 31)], for: .temperature) }
        #expect(throws: CalibrationError.slopeNotPositive(0)) {
            try Calibration.entered(slope: 0, offset: 1, for: .orp, validFrom: start, madeAt: start, author: "")
        }
    }

    @Test(arguments: [
        (95.0, CalibrationVerdict.SlopeGrade.good), (105, .good), (94.99, .clean), (90, .clean), (89.99, .maintain),
        (85, .maintain), (84.99, .reject), (105.01, .reject),
    ])
    func `the grade of a slope has its limits where the manual has them`(
        percent: Double, grade: CalibrationVerdict.SlopeGrade
    ) throws {
        #expect(CalibrationVerdict.SlopeGrade(percent: percent) == grade)
        let slope = 100 / percent
        let offset = 7 - 7 * slope
        func entered(_ isForced: Bool) throws -> CalibrationResult {
            try Calibration.entered(
                slope: slope, offset: offset, for: .ph, validFrom: start, madeAt: start, author: "", isForced: isForced)
        }
        if grade == .reject {
            #expect(throws: CalibrationError.electrodeSpent(percent: 100 / slope)) { try entered(false) }
        } else {
            _ = try entered(false)
        }
        #expect(try entered(true).verdicts.first == .electrodeSlope(percent: 100 / slope, grade))
    }

    @Test func `the ideal electrode and its offset in pH 7`() throws {
        for (celsius, slope) in [(0.0, 54.20), (20, 58.17), (25, 59.16), (28, 59.75), (30, 60.15), (40, 62.14)] {
            #expect((Electrode.idealSlope(celsius: celsius) - slope).magnitude < 0.005)
        }
        // In pH units 30 mV is about 0.5.
        #expect((Electrode.zeroPotential(slope: 1, offset: 0.5) - 29.58).magnitude < 0.01)
        #expect(try calibration(.zeroPoint, [(6.5, 7)]).isGood)
        #expect(try !calibration(.zeroPoint, [(6.49, 7)]).isGood)
    }

    @Test(arguments: [
        (25.0, CalibrationVerdict.RedoxGrade.normal), (-25, .normal), (25.5, .watch), (60, .watch), (-60.5, .replace),
    ])
    func `the grade of an ORP offset`(offset: Double, grade: CalibrationVerdict.RedoxGrade) throws {
        let made = try calibration(.zeroPoint, [(468 - offset, 468)], for: .orp)
        #expect(made.verdicts == [.redoxOffset(millivolts: offset, grade)])
    }

    @Test func `two buffers less than two pH apart are weak`() throws {
        let near = try calibration(.twoPoint, [(7, 7), (8.9, 8.9)])
        #expect(near.verdicts.contains { $0.sentence(in: .english).hasPrefix("WEAK") })
        #expect(try calibration(.twoPoint, [(7.01, 7.01), (9.01, 9.01)]).isGood)
    }

    @Test func `each reason and verdict is a sentence in both languages`() throws {
        let errors: [CalibrationError] = [
            .notFinite, .pointCount(.twoPoint, 1), .methodUnsuitable(.scale, .ph), .implausible(.orp, 9000),
            .measuredEqual(.ph, 7), .pointsTooClose(.ph, span: 0.1, minimum: 0.5), .slopeNotPositive(-1),
            .slopeOutOfBounds(.ph, 3, 0.5...2), .correctionOutOfBounds(.ph, at: 7, correction: 3, limit: 2),
            .electrodeSpent(percent: 80), .authorTooLong(byteCount: 300),
        ]
        for error in errors {
            #expect(error.sentence(in: .english) != error.sentence(in: .french))
            #expect(TextLanguage.allCases.allSatisfy { error.sentence(in: $0).count > 20 })
        }
        #expect(CalibrationError.electrodeSpent(percent: 80.04).sentence(in: .french).contains("80,0 %"))
    }
}

@Suite struct CalibrationBufferTests {
    @Test func `a buffer has its table's value at its rows and between them`() throws {
        #expect(CalibrationBuffer.neutral.ph(atCelsius: 20) == 7.02)
        #expect(CalibrationBuffer.neutral.ph(atCelsius: 30) == 6.99)
        #expect(CalibrationBuffer.alkaline.ph(atCelsius: 20) == 10.06)
        #expect(CalibrationBuffer.alkaline.ph(atCelsius: 30) == 9.97)
        #expect(CalibrationBuffer.acid.ph(atCelsius: 20) == 4.00)
        #expect(CalibrationBuffer.acid.ph(atCelsius: 30) == 4.02)
        let between = try #require(CalibrationBuffer.alkaline.ph(atCelsius: 22.5))
        #expect((between - 10.035).magnitude < 1e-12)
        for buffer in [CalibrationBuffer.acid, .neutral, .alkaline] {
            #expect(buffer.ph(atCelsius: 25) == buffer.nominal)
        }
        #expect(CalibrationBuffer.acid.ph(atCelsius: 19.9) == nil)
        #expect(CalibrationBuffer.neutral.ph(atCelsius: 40.1) == nil)
        #expect(CalibrationBuffer(nominal: 7, rows: []).ph(atCelsius: 25) == nil)
        #expect(CalibrationBuffer.neutral.ph(atCelsius: .nan) == nil)
    }
}
