import Appliances
import Companion
import Foundation
import TarsApp
import TarsPhone
import TarsWatch
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Names, shortcuts and scenes that are edited on the phone and on watches, in virtual time.
@Suite(.timeLimit(.minutes(20))) struct RecordsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `T19 T47 a rename at the phone or on a watch is on every face, and a removed thing is gone`()
        async throws
    {
        let household = try await Household(in: folder)
        try await household.renameAtPhone(to: "Light")
        try await household.wait { $0?.things.map(\.appliance.name) == ["Light"] }
        try await household.rename(on: 1, to: "Reading lamp")
        #expect(
            household.wrists[1].shown.view?.things.first?.appliance.name == "Reading lamp",
            "shown at once where it was typed")
        try await household.wait { $0?.things.map(\.appliance.name) == ["Reading lamp"] }
        #expect(await household.home.contents.appliances.map(\.name) == ["Reading lamp"])
        try await household.home.change { $0.foreign = [] }
        try await household.wait { $0?.things.isEmpty == true }
    }

    @Test func `T19 names given on two watches out of reach are both known, and the lost one can be brought back`()
        async throws
    {
        let household = try await Household(in: folder)
        for number in 0..<2 { household.pair.links[number].cut() }
        await household.pair.settle()
        try await household.rename(on: 0, to: "Left lamp")
        try await household.rename(on: 1, to: "Right lamp")
        #expect(household.wrists.map { $0.shown.isInStep } == [false, false])
        for number in 0..<2 { household.pair.links[number].heal() }
        #expect(
            await household.pair.settle(within: .seconds(600)) {
                household.wrists.allSatisfy { $0.shown.lost.count == 1 && $0.shown.isInStep }
            })
        let conflicts = await household.home.conflicts
        let (stands, lost) = (
            try #require(conflicts.first?.conflict.stands), try #require(conflicts.first?.conflict.lost)
        )
        #expect(Set([stands, lost]) == ["Left lamp", "Right lamp"])
        #expect(conflicts.first?.words.contains("\"\(lost)\"") == true, "\(conflicts)")
        try await household.wait { $0?.things.first?.appliance.name == stands }
        let id = try #require(conflicts.first?.conflict.id)
        try await household.turning { try await household.home.settle(id, restoring: true) }
        try await household.wait { $0?.things.first?.appliance.name == lost }
        #expect(
            await household.pair.settle(within: .seconds(600)) {
                household.wrists.allSatisfy(\.shown.lost.isEmpty)
            })
    }

    @Test func `T27 a shortcut that is defined again, here or on a watch, keeps its key and its link`() async throws {
        let household = try await Household(in: folder)
        let (lamp, home) = (household.lamp.id, household.home)
        let first = try Shortcut(id: .random(), name: "Bright", run: .action(lamp, .on))
        let second = try Shortcut(id: .random(), name: "Dark", run: .action(lamp, .off))
        for shortcut in [first, second] {
            try await household.turning { try await home.edit { $0.define(shortcut) } }
        }
        try await household.wait { $0?.shortcuts == [first, second] }
        let other = try Shortcut(id: first.id, name: "Bright", icon: "☀", run: .action(lamp, .toggle))
        try await household.turning { try await household.wrists[0].edit { $0.define(other) } }
        try await household.wait { $0?.shortcuts == [other, second] }
        #expect(await home.view(of: nil).shortcuts == [other, second])
        #expect(try await household.turning { try await home.edit { $0.forget("Bright") } })
        try await household.wait { $0?.shortcuts == [second] }
    }

    @Test func `what a forged watch writes is not shown`() throws {
        let lamp = Appliance.ID(high: 1, low: 2)
        func values(_ texts: [(String, String, String)]) -> HomeRecords {
            HomeRecords(
                Dictionary(
                    uniqueKeysWithValues: texts.map { kind, group, text in
                        (SharedRecords.Key(kind: kind, record: UUID(lamp), group: group), .init(text: text))
                    }))
        }
        let bad = values([
            ("appliance", "name", ""), ("appliance", "room", String(repeating: "x", count: 65)),
            ("shortcut", "name", "A"), ("shortcut", "run", "{}"), ("scene", "name", "B"),
            ("scene", "steps", #"["nobody 0 on"]"#),
        ])
        #expect(bad == HomeRecords())
        #expect(values([("appliance", "name", "a\u{200B}")]) == HomeRecords())
        #expect(values([("appliance", "name", "Küche")]).names == [lamp: "Küche"])
    }

    @Test func `T20 T24 everything that can be edited survives the way through the records`() throws {
        let lamp = Appliance.ID(high: 0xF0F1_F2F3_F4F5_F6F7, low: 2)
        var edits = HomeRecords()
        try edits.edit(lamp, name: "Lamp", room: "")
        let program = try Program("push, 2s on")
        edits.define(
            try Scene(id: .random(), name: "Night", steps: [.init(lamp, .program(program), after: .milliseconds(1500))])
        )
        edits.define(
            try Shortcut(
                id: .random(), name: "N", icon: "🌙", run: .scene(edits.scenes[0].id), confirm: true, grant: "x"))
        edits.define(try Shortcut(id: .random(), name: "M", run: .action(lamp, .press(hold: .seconds(3)))))
        let texts = edits.values(changing: HomeRecords()).compactMapValues(\.self)
        #expect(HomeRecords(texts.mapValues { .init(text: $0) }) == edits)
        #expect(HomeRecords().values(changing: edits).values.allSatisfy { $0 == nil })
        #expect(edits.values(changing: edits).isEmpty)
    }
}
