import Appliances
import Foundation
import TestSupport
import Testing
import Text

@testable import TarsModel

@Suite struct EnergyUseTests {
    private func profile() throws -> EnergyProfile {
        try EnergyProfile(
            json: Array(try String(contentsOf: Repository.url("Fixtures/tars/energy.json"), encoding: .utf8).utf8))
    }

    @Test func `T30 ten times rarer advertisements take less, by a ratio under an assumed profile`() throws {
        let profile = try profile()
        func day(_ interval: Duration) -> Double {
            EnergyUse(dayAdvertisingEvery: interval, connectedSeconds: 20, movements: 10).milliampereHours(profile)
        }
        // 86 380 s of advertisements of 20 µC, 2 µA for 86 400 s, 20 s of 5 mA, 10 movements of 150 mC: in mC.
        let each100ms = (17_276 + 172.8 + 100 + 1500) / 3600
        #expect(abs(day(.milliseconds(100)) - each100ms) < 1e-6)
        let ratio = day(.milliseconds(100)) / day(.seconds(1))
        #expect((5.0...6).contains(ratio))
        #expect(day(.seconds(10)) < day(.seconds(1)))
    }

    @Test func `T30 T46 the battery goes from 100 to 0 and no further`() throws {
        let profile = try profile()
        var use = EnergyUse()
        #expect(use.batteryPercent(profile) == 100)
        use.connectedSeconds = 3600 * 60
        #expect(use.batteryPercent(profile) == 50)
        use.connectedSeconds *= 10
        #expect(use.batteryPercent(profile) == 0)
    }

    @Test(arguments: [
        ("true", "false", "\"assumed\": false"), ("600", "0", "not above 0"), ("600", "\"x\"", "cannot be read"),
    ])
    func `T30 a profile that claims to be measured, or is not one, is refused`(
        old: String, new: String, words: String
    ) throws {
        let text = try String(contentsOf: Repository.url("Fixtures/tars/energy.json"), encoding: .utf8).replacing(
            old, with: new)
        let problem = #expect(throws: ModelProblem.self) { try EnergyProfile(json: Array(text.utf8)) }
        #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
    }
}
