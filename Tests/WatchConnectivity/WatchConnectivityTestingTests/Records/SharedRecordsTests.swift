import Foundation
import Platform
import TestSupport
import Testing
import WatchConnectivity
import WatchConnectivityTesting

@Suite(.pairReports) struct SharedRecordsTests {
    static let rules: [SharedRecords.Name: SharedRecords.Rule] = [
        SharedRecords.Name(kind: "lamp", group: "name"): SharedRecords.Rule(.anyone),
        SharedRecords.Name(kind: "lamp", group: "place"): SharedRecords.Rule(.anyone),
        SharedRecords.Name(kind: "lamp", group: "topic"): SharedRecords.Rule(.phone),
        SharedRecords.Name(kind: "face", group: "layout"): SharedRecords.Rule(.owner),
    ]

    /// A phone and watches that share records, and what is asked of them.
    private struct House {
        let pair: TestPair
        let lamp = SharedRecords.Key(kind: "lamp", record: UUID(), group: "name")

        init(watches: Int = 2, seed: UInt64 = 1) throws {
            pair = try TestPair(watches: watches, seed: seed, records: SharedRecordsTests.rules)
        }

        func records(_ side: PairSide) -> SharedRecords { pair.asDefault(side) { WCSession.records } }

        /// Carries something out while the pair runs.
        func result(
            _ side: PairSide,
            of body: @escaping @Sendable (SharedRecords) async throws -> SharedRecords.Outcome
        ) async -> Result<SharedRecords.Outcome, SharedRecordsError>? {
            let answer = Awaited<Result<SharedRecords.Outcome, SharedRecordsError>?>(nil)
            let records = records(side)
            Task {
                let result: Result<SharedRecords.Outcome, SharedRecordsError>
                do {
                    result = .success(try await body(records))
                } catch let error as SharedRecordsError {
                    result = .failure(error)
                } catch {
                    return
                }
                answer.change { $0 = result }
            }
            await pair.settle { answer.value != nil }
            return answer.value
        }

        func change(
            _ side: PairSide, _ key: SharedRecords.Key, _ value: String?
        ) async -> Result<SharedRecords.Outcome, SharedRecordsError>? {
            await result(side) { try await $0.change([key: value]) }
        }

        func text(_ side: PairSide, _ key: SharedRecords.Key) -> String? { records(side).values[key]?.text }

        func cut() async {
            for link in pair.links { link.cut() }
            await pair.settle()
        }

        func heal() async {
            for link in pair.links { link.heal() }
            await pair.settle()
        }
    }

    @Test func `a value that the phone writes is on all watches, and one of a watch on all devices`() async throws {
        let house = try House()
        #expect(await house.change(.phone, house.lamp, "Lamp") == .success(.accepted))
        await house.pair.settle()
        #expect(house.text(.watch(1), house.lamp) == "Lamp")
        #expect(await house.change(.watch(1), house.lamp, "Kitchen") == .success(.accepted))
        await house.pair.settle()
        for side in [PairSide.phone, .watch(0), .watch(1)] {
            #expect(house.records(side).values == [house.lamp: SharedRecords.Value(text: "Kitchen")])
            #expect(house.records(side).conflicts == [])
        }
        #expect(await house.change(.watch(0), house.lamp, "Kitchen") == .success(.unchanged))
        #expect(await house.change(.phone, house.lamp, "Kitchen") == .success(.unchanged))
    }

    @Test func `of two renames without a link one is shown, and the other one can be restored`() async throws {
        let house = try House()
        _ = await house.change(.phone, house.lamp, "Lamp")
        await house.cut()
        #expect(await house.change(.watch(0), house.lamp, "Kitchen") == .success(.accepted))
        await house.pair.advance(by: .seconds(5))
        #expect(await house.change(.watch(1), house.lamp, "Stove") == .success(.accepted))
        #expect(house.records(.watch(1)).values[house.lamp] == SharedRecords.Value(text: "Stove", isPending: true))
        #expect(house.text(.phone, house.lamp) == "Lamp")
        await house.heal()
        let conflicts = house.records(.phone).conflicts
        #expect(conflicts.map(\.lost) == ["Kitchen"] && conflicts.map(\.stands) == ["Stove"])
        #expect(conflicts.map(\.author) == ["watch 1"] && conflicts.map(\.rule) == ["newest"])
        for side in [PairSide.phone, .watch(0), .watch(1)] {
            #expect(house.text(side, house.lamp) == "Stove")
            #expect(house.records(side).conflicts == conflicts)
        }
        let id = try #require(conflicts.first?.id)
        #expect(await house.result(.watch(1)) { try await $0.settle(id, restoring: true) } == .success(.accepted))
        await house.pair.settle()
        for side in [PairSide.phone, .watch(0), .watch(1)] {
            #expect(house.text(side, house.lamp) == "Kitchen")
            #expect(house.records(side).conflicts == [])
        }
        let again = await house.result(.phone) { try await $0.settle(id, restoring: false) }
        #expect(again == .success(.refused("there is no such open conflict: it has been settled")))
    }

    @Test func `what change accepted is there after a power cut, on a watch and on the phone`() async throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            let house = try House(seed: seed)
            _ = await house.change(.phone, house.lamp, "Lamp")
            await house.cut()
            #expect(await house.change(.watch(0), house.lamp, "Kitchen") == .success(.accepted))
            house.pair.watchDevices[0].powerOff()
            house.pair.watchDevices[0].powerOn()
            #expect(
                house.records(.watch(0)).values[house.lamp] == SharedRecords.Value(text: "Kitchen", isPending: true))
            let other = SharedRecords.Key(kind: "lamp", record: UUID(), group: "topic")
            #expect(await house.change(.phone, other, "t") == .success(.accepted))
            house.pair.phoneDevice.powerOff()
            house.pair.phoneDevice.powerOn()
            await house.heal()
            for side in [PairSide.phone, .watch(0), .watch(1)] {
                #expect(house.text(side, house.lamp) == "Kitchen")
                #expect(house.text(side, other) == "t")
            }
        }
    }

    @Test func `a change during which the device dies is either there or not, and its caller is told`() async throws {
        for steps in 1...4 {
            let house = try House(seed: UInt64(steps))
            _ = await house.change(.phone, house.lamp, "Lamp")
            house.pair.watchDevices[0].losePower(afterSteps: steps)
            let result = await house.change(.watch(0), house.lamp, "Kitchen")
            house.pair.watchDevices[0].powerOff()
            house.pair.watchDevices[0].powerOn()
            await house.pair.settle()
            let shown = house.text(.watch(0), house.lamp)
            switch result {
            case .success(.accepted): #expect(shown == "Kitchen")
            case .failure(.interrupted): #expect(shown == "Kitchen" || shown == "Lamp")
            default: Issue.record("\(String(describing: result)) after \(steps) steps")
            }
        }
    }

    @Test func `a deletion reaches all devices, and an edit that had not seen it is kept`() async throws {
        let house = try House()
        _ = await house.change(.phone, house.lamp, "Lamp")
        await house.cut()
        #expect(await house.change(.watch(0), house.lamp, "Kitchen") == .success(.accepted))
        #expect(await house.change(.phone, house.lamp, nil) == .success(.accepted))
        await house.heal()
        for side in [PairSide.phone, .watch(0), .watch(1)] {
            #expect(house.records(side).values == [:])
            #expect(house.records(side).conflicts.map(\.lost) == ["Kitchen"])
        }
        let id = try #require(house.records(.phone).conflicts.first?.id)
        #expect(await house.result(.phone) { try await $0.settle(id, restoring: false) } == .success(.accepted))
        await house.pair.settle()
        #expect(house.records(.watch(1)).conflicts == [])
    }

    @Test func `what a rule or a limit forbids is refused with the name, the value and the way out`() async throws {
        let house = try House()
        let record = UUID()
        func refusal(_ side: PairSide, _ wishes: [SharedRecords.Key: String?]) async -> String? {
            guard case .success(.refused(let text)) = await house.result(side, of: { try await $0.change(wishes) })
            else { return nil }
            return text
        }
        let topic = SharedRecords.Key(kind: "lamp", record: record, group: "topic")
        #expect(await refusal(.watch(0), [topic: "t"]) == "only the phone may change lamp/topic")
        let unknown = SharedRecords.Key(kind: "lamp", record: record, group: "colour")
        #expect(
            await refusal(.phone, [unknown: "red"])
                == "no rule names lamp/colour: add it to SessionSetup.records on both sides")
        let long = String(repeating: "x", count: 2_049)
        let words = "the value of lamp/name has 2049 bytes, at most 2048 are possible"
        #expect(await refusal(.watch(0), [house.lamp: long]) == words)
        #expect(await refusal(.phone, [house.lamp: long]) == words)
        #expect(await refusal(.phone, [house.lamp: String(long.dropLast())]) == nil)
        let many = Dictionary(
            uniqueKeysWithValues: (1...17).map {
                (SharedRecords.Key(kind: "lamp", record: UUID(), group: "name"), Optional("\($0)"))
            })
        let tooMany = "17 values are too many for one change, at most 16 go together"
        #expect(await refusal(.watch(0), many) == tooMany)
        #expect(await refusal(.phone, many) == tooMany)
        let own = try #require(house.records(.watch(0)).record())
        #expect(house.records(.phone).record(of: "watch-1") == own)
        let face = SharedRecords.Key(kind: "face", record: own, group: "layout")
        #expect(await refusal(.watch(0), [face: "1"]) == nil)
        #expect(
            await refusal(.watch(1), [face: "2"])
                == "only the phone and the watch that owns the record may change face/layout")
    }

    @Test func `an app without rules, and a watch without a phone, are told what is missing`() async throws {
        let pair = try TestPair()
        let records = pair.asDefault(.phone) { WCSession.records }
        let key = SharedRecords.Key(kind: "lamp", record: UUID(), group: "name")
        await #expect(throws: SharedRecordsError.noRules) { try await records.change([key: "x"]) }
        #expect(records.values.isEmpty && records.conflicts.isEmpty)
        let house = try House(watches: 1)
        house.pair.watchDevice.unpair()
        #expect(await house.change(.watch(0), house.lamp, "x") == .failure(.notPaired))
    }

    @Test func `a reader is told of each change at least once`() async throws {
        let house = try House()
        let states = Recorder<String?>()
        let records = house.records(.watch(1))
        let lamp = house.lamp
        let reading = Task { for await _ in records.changes { states.record(records.values[lamp]?.text) } }
        await states.wait { $0 == [nil] }
        _ = await house.change(.phone, house.lamp, "Lamp")
        await house.pair.settle { states.items.last == "Lamp" }
        _ = await house.change(.watch(1), house.lamp, "Stove")
        await house.pair.settle { states.items.last == "Stove" }
        reading.cancel()
        #expect(house.pair.timeline.contains("changes 1 shared records"))
    }

    @Test func `no rule is for a name of the engine`() {
        var setup = SessionSetup(side: .phone, stateFolder: "/tmp/x")
        setup.records = [SharedRecords.Name(kind: "sync.watch", group: "pairing"): SharedRecords.Rule(.anyone)]
        #expect(throws: SessionSetupError.badRecordName(kind: "sync.watch", group: "pairing")) { try setup.check() }
    }
}
