import ArgumentParser
import CommandSupport
import PoolModel
import Testing

@testable import poolsensors

/// What commands print of doses, forecasts and advice.
@Suite struct WaterTextTests {
    private let now = Timestamp(milliseconds: 1_780_315_200_000)

    private func later(_ hours: Double) -> Timestamp { now.advanced(byMilliseconds: Int64(hours * 3_600_000)) }

    @Test(
        arguments: [
            ("150g", 150, .grams), ("1.5kg", 1500, .grams), ("400mL", 400, .millilitres), ("1L", 1000, .millilitres),
            ("0.4l", 400, .millilitres), ("20 ml", 20, .millilitres), ("2KG", 2000, .grams), ("1,5kg", 1500, .grams),
        ] as [(String, Double, Dose.Unit)])
    func `an amount is a number with a unit`(text: String, amount: Double, unit: Dose.Unit) throws {
        let read = try DoseAmount(flag: text)
        #expect((read.amount - amount).magnitude < 1e-9 && read.unit == unit)
    }

    @Test(arguments: ["", "g", "150", "1e3g", "-5g", "0g", "nan g", "1.2.3L", "5 cups", "0x10g", "1,500g", "٣g"])
    func `anything else is no amount`(text: String) {
        #expect(throws: ValidationError.self) { try DoseAmount(flag: text) }
    }

    @Test func `a product at hand has a name, and may have a strength`() throws {
        #expect(try AdviceNumbers.Product(flag: "dichlor") == .init(.dichlor))
        #expect(
            try AdviceNumbers.Product(flag: "sodium-hypochlorite=9.6")
                == .init(.sodiumHypochlorite, strengthPercent: 9.6))
        for text in ["", "gold", "dichlor=", "dichlor=x", "=5"] {
            #expect(throws: ValidationError.self) { try AdviceNumbers.Product(flag: text) }
        }
    }

    @Test func `each result of a forecast is a line`() {
        let score = ForecastScore(originCount: 96, error: 0.024, errorOfNow: 0.1)
        func exit(_ at: Double?, _ earliest: Double?, _ latest: Double?, _ side: Limits.Deviation?) -> Forecast {
            Forecast(
                .chlorine,
                .leaving(
                    RangeExit(
                        since: later(-20), at: at.map(later), earliest: earliest.map(later), latest: latest.map(later),
                        reach: later(24), deviation: side, changePerDay: -0.5)), score: score)
        }
        let forecasts = [
            Forecast(
                .temperature, .value(ForecastValue(at: later(5.6), value: 26.44, least: 26.1, greatest: 26.9)),
                score: score),
            exit(11.4, 9, 14.2, .low), exit(11.4, 2.5, nil, .low), exit(nil, 18, nil, .high), exit(nil, nil, nil, nil),
            Forecast(.orp, .refused(.never)), Forecast(.ph, .refused(.tooFewReadings(days: 12))),
        ]
        #expect(
            ForecastText.lines(forecasts, of: "Lagoon", at: now) == [
                "Lagoon",
                "Temperature: 26.4 °C in 6 h, 26.1 to 26.9, as yesterday (past forecasts were 76 % closer than assuming no change)",
                "Chlorine: falls below its range in 11 h, 9 h to 14 h if nothing is added since \(MomentText.of(later(-20))) "
                    + "(past forecasts were 76 % closer than assuming no change)",
                "Chlorine: falls below its range in 11 h, 2.5 h to more than 24 h if nothing is added since "
                    + "\(MomentText.of(later(-20))) (past forecasts were 76 % closer than assuming no change)",
                "Chlorine: stays in its range for 24 h, at the earliest in 18 h if nothing is added since "
                    + "\(MomentText.of(later(-20))) (past forecasts were 76 % closer than assuming no change)",
                "Chlorine: stays in its range for 24 h if nothing is added since \(MomentText.of(later(-20))) "
                    + "(past forecasts were 76 % closer than assuming no change)",
                "ORP: There is no forecast: no method was better than assuming no change.",
                "pH: Forecasts need about 12 more days of readings.",
            ])
        #expect(ForecastText.lines([], of: "Lagoon", at: now) == ["There is no value of Lagoon yet."])
    }

    @Test func `advice begins with its inputs, and ends with its assumptions`() {
        let portions = Advice.Portions(
            target: 7.4, change: -0.2,
            choices: [
                .init(.hydrochloricAcid, strengthPercent: 31.45, least: 154.7, greatest: 385.3, unit: .millilitres),
                .init(.sodiumBisulfate, strengthPercent: 93.2, least: 330.3, greatest: 330.3, unit: .grams),
            ], responseFactor: nil)
        let advice = Advice(
            poolID: PoolID(high: 1, low: 1), pool: "Garden", volume: 48, at: now,
            inputs: [
                .init(
                    .ph, value: 7.8, device: "Lagoon", measuredAt: later(-0.5), ageSeconds: 1800,
                    calibratedAt: later(-24 * 12), trend: .climbing, low: 7.2, high: 7.6)
            ], numbers: AdviceNumbers(),
            steps: [.init(.ph, by: "Lagoon", .dose(portions)), .init(.chlorine, .wait(.phFirst, until: nil))],
            filtration: .hours(12.5), assumptions: [.oneProduct])
        #expect(
            AdviceText.lines(advice) == [
                "Garden, 48.0 m³",
                "  pH 7.80 of Lagoon, 30m old, rising, range 7.20 to 7.60, calibrated 12 days ago",
                "pH, by Lagoon: add one of these (-0.20, half of the way to 7.40), then measure again:",
                "  155 mL to 385 mL hydrochloric acid 31.45 %", "  330 g sodium bisulfate 93.2 %",
                "Chlorine: wait: the pH comes first; measure again before adding chlorine",
                "Filtration: 12.5 h a day", "  Add one product only, and never mix two.",
            ])
    }
}
