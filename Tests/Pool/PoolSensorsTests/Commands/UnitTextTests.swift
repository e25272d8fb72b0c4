import ArgumentParser
import PoolControl
import PoolSamples
import Testing
import WaterChemistry

@testable import PoolDecoding
@testable import PoolModel
@testable import poolsensors

/// What commands print in the units that people have chosen: no number stands beside a unit of another scale.
@Suite struct UnitTextTests {
    private func text(_ units: String, _ lines: () throws -> [String]) rethrows -> String {
        try DisplayUnits.$ofTask.withValue(DisplayUnits(units)) { try lines().joined(separator: "\n") }
    }

    @Test func `presets and limits are in the unit of display`() {
        let presets = LimitsPreset.all.filter { $0.key == "private-eu" }
        #expect(text("metric") { PresetList.lines(presets) }.contains("Temperature 18…30 (1…40) °C"))
        #expect(text("us") { PresetList.lines(presets) }.contains("Temperature 64.4…86 (33.8…104) °F"))
        let limits = Limits(criticalLow: 15, low: 20, high: 30, criticalHigh: 35)
        #expect(text("us") { [limits.words(of: .temperature)] } == "68…86 (59…95)")
        #expect(text("us") { [limits.words(of: .ph)] } == "20…30 (15…35)")
    }

    @Test func `what detection proposes is in the unit of display`() {
        var detection = Detection()
        detection.absorb(
            topic: "pool/1", payload: Array(#"{"temperature":25,"ph":7.2,"salt":3.2}"#.utf8), isRetained: false,
            receivedAt: noon)
        let lines = text("us") { detection.report().textLines() }
        #expect(lines.contains("Temperature: 77 °F  from 25"))
        #expect(lines.contains("Salinity: 3200 ppm  from 3.2"))
        #expect(text("metric") { detection.report().textLines() }.contains("Temperature: 25 °C  from 25"))
    }

    @Test func `a question names the unit in which the answer is read`() {
        func question(_ units: String) -> (String, CalibrationReply) {
            DisplayUnits.$ofTask.withValue(DisplayUnits(units)) {
                var wizard = CalibrationWizard(
                    quantity: .ph, method: .twoPoint, language: .english, author: "Ana", current: nil, stableCount: 3)
                return (wizard.prompt(at: noon).question, wizard.answer("77", at: noon))
            }
        }
        #expect(question("us") == ("How warm are the buffers, in °F?", .accepted))
        let metric = question("metric")
        #expect(metric.0 == "How warm are the buffers, in °C?")
        // 77 °C is no temperature of a buffer.
        #expect(metric.1 != .accepted)
    }

    @Test func `a unit has a form for terminals with ASCII only`() {
        let all = Quantity.allCases
        #expect(
            text("metric") { all.map(\.asciiUnit) }
                == ["C", "", "mg/L", "mV", "g/L", "uS/cm", "%"].joined(separator: "\n"))
        #expect(text("us") { [Quantity.temperature.asciiUnit] } == "F")
    }

    @Test func `the temperature of the water is read in the unit of display`() throws {
        let command = try ChemistryCommand.parse(["--ph", "7.5", "--temperature", "78.8F"])
        let celsius = try #require(command.temperature).value(of: .temperature)
        #expect(abs(celsius - 26) < 1e-9)
        let report = try ChemistryReport(WaterNumbers(ph: 7.5, celsius: 26))
        #expect(text("us") { report.lines }.contains("at pH 7.5 and 78.8 °F"))
    }
}
