import BrokerFixture
import Foundation
import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncStore
import TestSupport
import Testing

@testable import PoolHub

/// The history of a hub through commands, while it is running and while it is not.
@Suite struct HistoryTests {
    private func ask(_ request: HistoryRequest, _ place: TestHubFolder) async throws -> HistoryAnswer {
        let answer = try await HubClient.perform(.history(request), path: place.path)
        guard case .history(let found) = answer else { throw Unexpected(answer) }
        return found
    }

    private func rows(
        _ place: TestHubFolder, before: HistoryPlace? = nil, limit: Int = 100
    ) async throws -> [HistoryRow] {
        let lagoon = try await place.report().deviceID("Lagoon")
        let answer = try await ask(.page(device: lagoon, before: before, limit: limit), place)
        guard case .page(let rows) = answer else { throw Unexpected(answer) }
        return rows
    }

    private func calibration(_ offset: Double, from moment: Int64) -> Calibration {
        Calibration(
            slope: 1, offset: offset, method: .manual, points: [], validFrom: Timestamp(milliseconds: moment),
            madeAt: Timestamp(milliseconds: moment), author: "Ada")
    }

    @Test func `what a broker delivers is listed, exported and deleted; raw values never change`() async throws {
        // P83, P84, P85, P87, P89, V1, V2
        let broker = try await Broker.start()
        let place = try TestHubFolder()
        let hub = TestHub(place)
        try await hub.start()
        try await hub.configure(broker)
        _ = await broker.logLine(containing: "pool/sensor/main (QoS")
        let publisher = try await Publisher(broker)
        for ph in [7.0, 7.1, 7.2] {
            try await publisher.publish("{\"ph\":\(ph)}")
            await hub.waitForValue("Lagoon", .ph, ph)
        }

        for offset in [0.5, -0.25] {
            _ = try await hub.perform(
                .edit(
                    .addCalibration(
                        hub.report().deviceID("Lagoon"), .ph, calibration(offset, from: offset > 0 ? 1 : 2),
                        isForced: true,
                        dropsOldest: false)))
            await hub.waitForValue("Lagoon", .ph, 7.2 + offset)
            let found = try await rows(place)
            #expect(found.map { $0.raw[.ph] } == [7.2, 7.1, 7.0])
            #expect(found.map { $0.corrected[.ph] } == [7.2 + offset, 7.1 + offset, 7.0 + offset])
        }
        let first = try await rows(place, limit: 1)
        #expect(try await rows(place, before: first[0].place).map { $0.raw[.ph] } == [7.1, 7.0])

        let file = place.path + "/../readings.csv"
        let exported = try await ask(.export(HistoryExport(path: file, values: .both)), place)
        guard case .exported(_, 3, _) = exported else { throw Unexpected(exported) }
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\r\n")
        #expect(lines.first?.hasPrefix("Timestamp,Device,Temperature,pH,Chlorine,ORP") == true)
        #expect(lines[1].contains(",Lagoon,,6.75,,,") && lines[1].contains("Z,"))
        let overwriting = HubCommand.history(.export(HistoryExport(path: file)))
        let answer = try await HubClient.perform(overwriting, path: place.path)
        guard case .refused = answer else { throw Unexpected(answer) }

        // The newest reading is deleted, and the shown value follows.
        let newest = try await rows(place)[0]
        let span = HistoryRequest.delete(
            device: newest.deviceID, from: newest.sampledAt, through: newest.sampledAt, expected: 1)
        let deletion = try await ask(span, place)
        guard case .deletion(1, true) = deletion else { throw Unexpected(deletion) }
        let shown = try await hub.report().devices[0].readings
        #expect(shown?.values[.ph]?.value == 7.1 - 0.25)
        #expect(try await rows(place).count == 2)
        try await hub.stop()

        // V2: the same while the hub is stopped, and after its next start.
        #expect(try await rows(place).map { $0.raw[.ph] } == [7.1, 7.0])
        let again = TestHub(place)
        try await again.start()
        #expect(try await rows(place).count == 2)
        try await again.stop()
        await broker.stop()
    }

    @Test func `while long work goes on, other commands are answered`() async throws {
        let work = LongWork(patience: .milliseconds(1))
        let (wait, source) = AsyncStream<Void>.makeStream()
        let first = await work.perform {
            for await _ in wait {}
            return .done("late")
        }
        guard case .working(let job) = first else { throw Unexpected(first) }
        let soon = await LongWork(patience: .seconds(3600)).perform { .done("soon") }
        guard case .done("soon") = soon else { throw Unexpected(soon) }
        source.finish()
        var answer = first
        try await poll("the end of the work") {
            answer = await work.outcome(of: job)
            if case .working = answer { return false }
            return true
        }
        guard case .done("late") = answer else { throw Unexpected(answer) }
        answer = await work.outcome(of: job)
        guard case .refused = answer else { throw Unexpected(answer) }
    }

    @Test func `a backup is put back with its readings, in a new epoch, and the state before is kept`() async throws {
        let place = try TestHubFolder()
        func add(_ name: String) async throws {
            if name == "Lagoon" {
                var server = ServerPatch()
                server.name = "Home"
                server.host = "broker.example"
                server.password = "wet-secret"
                _ = try await HubClient.perform(.edit(.addServer(server)), path: place.path)
            }
            var device = DevicePatch()
            device.name = name
            device.topic = "pool/\(name)"
            _ = try await HubClient.perform(.edit(.addDevice(device)), path: place.path)
        }
        func state() throws -> (epoch: UInt64, devices: [String], readings: Int, isPutBack: Bool) {
            let folder = try HubFolder(path: place.path)
            let state = try folder.store.load()
            var problems: [ConfigurationProblem] = []
            let configuration = PoolConfiguration(cells: state.cells, problems: &problems)
            if let server = configuration.servers.first {
                #expect(try folder.secrets.password(of: server.id) == "wet-secret")
            }
            return (
                state.version.epoch.number, configuration.devices.map(\.name).sorted(), try folder.history.count(),
                folder.putBackSentence != nil
            )
        }
        try await add("Lagoon")
        let backup = place.path + ".backup"
        let answer = try await HubClient.perform(.backUp(backup), path: place.path)
        guard case .done(let sentence) = answer else { throw Unexpected(answer) }
        #expect(sentence.contains("0 readings"))
        try await add("Spa")
        let before = try state()

        // The object keeps the previous state as long as it exists.
        func restore() throws -> String? {
            let restore = try HubRestore(backup, to: place.path)
            #expect(restore.contents.devices == ["Lagoon"])
            #expect(restore.contents.isSameHub == true && restore.contents.opensPasswords == true)
            return try restore.finish(now: Timestamp(milliseconds: 1_780_000_000_000))
        }
        // A backup that lay on a disk without owners may be readable by all.
        try setPermissions(0o644, of: backup + "/hub.sqlite")
        let aside = try #require(try restore())

        #expect(try permissions(place.path + "/hub.sqlite") == 0o600)
        let after = try state()
        #expect(after.devices == ["Lagoon"])
        #expect(after.epoch != before.epoch && !after.isPutBack)
        let kept = try HubFolder(path: aside, keyPath: HubFolder.defaultKeyPath(path: place.path) + "2")
        #expect(try kept.store.load().version.epoch.number == before.epoch)
        #expect(!FileManager.default.fileExists(atPath: place.path + ".incoming"))
    }

    @Test func `a hub that runs and a damaged backup are refused, and nothing changes`() async throws {
        let place = try TestHubFolder()
        let hub = TestHub(place)
        try await hub.start()
        let backup = place.path + ".backup"
        _ = try await hub.perform(.backUp(backup))
        #expect(throws: (any Error).self) { try HubRestore(backup, to: place.path) }
        try await hub.stop()
        #expect(throws: HubRestoreError.noBackup(path: "/nowhere")) { try HubRestore("/nowhere", to: place.path) }

        let key = URL(filePath: backup + "/hub.key.secret")
        let sums = URL(filePath: backup + "/checksums.secret")
        let (rightKey, rightSums) = (try Data(contentsOf: key), try Data(contentsOf: sums))
        try Data(rightKey.map { $0 ^ 1 }).write(to: key)
        #expect(throws: HubRestoreError.damaged(path: key.path)) { try HubRestore(backup, to: place.path) }
        try rightKey.write(to: key)
        try FileManager.default.removeItem(at: sums)
        #expect(throws: HubRestoreError.noChecksums(path: backup)) { try HubRestore(backup, to: place.path) }
        try rightSums.write(to: sums)
        _ = try HubRestore(backup, to: place.path)

        var bytes = try Data(contentsOf: URL(filePath: backup + "/history.sqlite"))
        bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: URL(filePath: backup + "/history.sqlite"))
        #expect(throws: (any Error).self) { try HubRestore(backup, to: place.path) }
        let siblings = try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: place.path).deletingLastPathComponent().path)
        #expect(!siblings.contains { $0.contains(".incoming") || $0.contains(".before-") })
    }

    @Test func `the names in a CSV file are no formulas and tell equal ones apart; JSON lines have them as they are`() {
        // OWASP, CSV Injection; a merge can create two devices with the same name
        let ids = (1...4).map { DeviceID(high: UInt64($0) << 32, low: 1) }
        let names = ["=1+1", "Spa", "Spa", "Pool -1"]
        let configuration = PoolConfiguration(
            entries: zip(ids, names).flatMap { id, name in
                let device = Device(id: id, name: name, serverID: ServerID(high: 1, low: 1), topic: "t/\(id)")
                // A device in a separate configuration may have any name.
                return (try? PoolConfiguration().adding(server).adding(device))?.entries() ?? []
            })
        #expect(configuration.devices.count == 4)
        let exported = configuration.exportNames(in: .csv)
        #expect(ids.map { exported[$0] } == ["'=1+1", "Spa 00000002", "Spa 00000003", "Pool -1"])
        let lines = configuration.exportNames(in: .jsonl)
        #expect(ids.map { lines[$0] } == names)
    }

    private var server: Server { Server(id: ServerID(high: 1, low: 1), name: "Garden", host: "127.0.0.1") }
}
