import ArgumentParser
import CommandSupport
import PoolControl
import Testing

@testable import PoolModel
@testable import poolsensors

/// What the flags of commands mean at their limits, and what they refuse.
@Suite struct OptionTests {
    /// What a command says against its arguments; nil if it takes them.
    private func objection(_ arguments: String...) -> String? {
        do {
            _ = try PoolSensors.parseAsRoot(arguments)
            return nil
        } catch {
            return PoolSensors.message(for: error)
        }
    }

    @Test(arguments: [("0s", 0), ("1ms", 1), ("1s", 1), ("1500ms", 2), ("30s", 30)])
    func `a link is cut for whole seconds, and never shorter than asked for`(text: String, seconds: Int) throws {
        let command = try LinkSetCommand.parse(["--cut", text])
        #expect(try command.patch().cutSeconds == seconds)
    }

    @Test(arguments: ["24:00-07:00", "24:30-07:00", "22:00-24:00", "22:60-07:00", "22-07", "22:00"])
    func `quiet hours are hours of a day`(text: String) {
        #expect(objection("alerts", "settings", "--quiet", text)?.contains("--quiet is \"\(text)\"") == true)
    }

    @Test func `quiet hours reach from the first minute of a day to the last`() {
        #expect(objection("alerts", "settings", "--quiet", "00:00-23:59") == nil)
    }

    @Test(arguments: [
        ("metric", "24.5", 24.5), ("metric", "77F", 25), ("metric", "77 °F", 25), ("us", "77", 25), ("us", "25C", 25),
        ("us", "-4", -20),
    ])
    func `a limit is in the unit of display, unless it has its own`(units: String, typed: String, value: Double) throws
    {
        let read = try DisplayUnits.$ofTask.withValue(DisplayUnits(units)) {
            try TypedValue.flag(typed).value(of: .temperature)
        }
        #expect(abs(read - value) < 1e-9)
    }

    @Test func `a limit in another unit than was meant is refused with the way out`() {
        let refusal = objection("limits", "set", "temperature", "--low", "75", "--device", "Lagoon") ?? ""
        #expect(refusal.contains("75, expected -5 to 60; for °F write 75°F"))
        #expect(objection("limits", "set", "temperature", "--low", "75F", "--device", "Lagoon") == nil)
        #expect(
            objection("limits", "set", "ph", "--low", "7ppm", "--device", "Lagoon")?.contains("ppm is no unit of pH")
                == true)
    }

    @Test func `a volume is in the unit of display, unless it has its own`() throws {
        #expect(try TypedValue.flag("48").cubicMetres() == 48)
        #expect(try TypedValue.flag("48000 l").cubicMetres() == 48)
        let gallons = try DisplayUnits.$ofTask.withValue(DisplayUnits("gal")) {
            try TypedValue.flag("12680").cubicMetres()
        }
        #expect(abs(gallons - 48) < 0.01)
        #expect(abs(try TypedValue.flag("12680gal").cubicMetres() - 48) < 0.01)
        #expect(throws: ValidationError.self) { try TypedValue.flag("48F").cubicMetres() }
    }

    @Test func `a span ends where it begins, or later`() {
        func span(_ first: String, _ last: String) -> String? {
            objection("history", "export", "--out", "-", "--from", first, "--to", last)
        }
        #expect(span("2026-06-02", "2026-06-01")?.contains("--to is 2026-06-01 00:00:00") == true)
        #expect(span("2026-06-01", "2026-06-01") == nil)
        #expect(span("2026-06-01", "2026-06-02") == nil)
    }
}
