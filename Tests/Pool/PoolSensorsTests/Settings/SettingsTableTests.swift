import ArgumentParser
import CommandSupport
import Foundation
import Testing

@testable import poolsensors

@Suite struct SettingsTableTests {
    @Test func `secrets are hidden, in lines and in JSON`() throws {
        let context = try CommandContext(
            flags: [:], config: nil, environment: ["HOME": "/h", "POOLSENSORS_PROBE_PASSWORD": "hunter2"])
        let table = SettingsTable(context)

        let line = try #require(table.lines.first { $0.hasPrefix("probe.password ") })
        #expect(line.contains("(hidden)"))
        #expect(line.hasSuffix("environment POOLSENSORS_PROBE_PASSWORD"))
        #expect(!table.lines.joined().contains("hunter2"))
        #expect(!(try JSONText.pretty(table).contains("hunter2")))
        let row = try #require(table.settings.first { $0.key == "probe.password" })
        #expect(row.isSet)
    }

    @Test func `a wrong value is shown with what is expected, so that it can be mended`() throws {
        let context = try CommandContext(
            flags: ["log.level": "loud"], config: nil, environment: ["HOME": "/h", "POOLSENSORS_HUB_PORT": "1"])
        let table = SettingsTable(context)

        let line = try #require(table.lines.first { $0.hasPrefix("log.level ") })
        #expect(line.contains("loud  ← expected one of trace"))
        #expect(line.hasSuffix("flag --log-level"))
        #expect(table.lines.last == "The variable POOLSENSORS_HUB_PORT is not a setting.")
    }

    @Test func `every setting is listed with its origin`() throws {
        let table = SettingsTable(try CommandContext(flags: [:], config: nil, environment: ["HOME": "/h"]))

        #expect(table.settings.map(\.key) == Catalog.all.map(\.key))
        #expect(table.settings.allSatisfy { $0.origin == "default" })
        #expect(table.lines.first == "Configuration file: /h/.config/poolsensors/config.json (not there)")
    }

    @Test func `a command line shows what its flags would do`() throws {
        let command = try PoolSensors.parseAsRoot(["hub", "--listen", "tcp://1.2.3.4:5", "--state", "/s"])
        let configured = try #require(command as? any Configured)

        #expect(configured.givenFlags == ["hub.listen": "tcp://1.2.3.4:5", "state": "/s"])
    }
}
