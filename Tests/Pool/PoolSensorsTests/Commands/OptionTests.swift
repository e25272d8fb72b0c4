import ArgumentParser
import CommandSupport
import PoolControl
import Testing

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

    @Test func `a span ends where it begins, or later`() {
        func span(_ first: String, _ last: String) -> String? {
            objection("history", "export", "--out", "-", "--from", first, "--to", last)
        }
        #expect(span("2026-06-02", "2026-06-01")?.contains("--to is 2026-06-01 00:00:00") == true)
        #expect(span("2026-06-01", "2026-06-01") == nil)
        #expect(span("2026-06-01", "2026-06-02") == nil)
    }
}
