import Platform
import PoolControl
import PoolHub
import PoolModel
import Service
import TestSupport
import Testing

/// Each request gets its own kind of reply, whether the hub runs or not.
@Suite struct HubRequestTests {
    private let place: TestHubFolder
    private let hub: TestHub

    init() throws {
        place = try TestHubFolder()
        hub = TestHub(place)
    }

    /// Sends a request; a refusal or an error is a reply, too, and the reply to another request does not count.
    private func expectReply<Reply>(
        _ request: HubRequest<Reply>, _ way: some HubAsking, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        do {
            _ = try await way.ask(request)
        } catch HubRequestError.anotherReply {
            Issue.record("\(request.command) got the reply to another request", sourceLocation: sourceLocation)
        } catch {
            // Most of them name things that do not exist.
        }
    }

    private func expectReplies(of way: some HubAsking, in folder: TemporaryFolder) async throws {
        let state = try await way.ask(.state)
        let (server, device, pool) = (
            try state.serverID("Home"), try state.deviceID("Lagoon"), try state.poolID("Garden")
        )
        let watch = WatchID(bytes: [UInt8](repeating: 7, count: 32))
        let now = Timestamp.now
        let key = PassphraseKey(
            derivation: .init(costExponent: 14, blockSize: 8, parallelism: 1, salt: [UInt8](repeating: 1, count: 16)),
            bytes: [UInt8](repeating: 2, count: 32))
        let dose = Dose(
            id: DoseID(high: 1, low: 1), poolID: pool, product: .dichlor, amount: 90, unit: .grams, at: now,
            author: "hub")
        await expectReply(.names, way)
        await expectReply(.about, way)
        await expectReply(.look(LookRequest()), way)
        await expectReply(.testServer(server), way)
        await expectReply(.tryServer(nil, named("Other")), way)
        await expectReply(.invite(name: "Kitchen", validForSeconds: 60), way)
        await expectReply(.unpair(watch), way)
        await expectReply(.log(last: 5), way)
        await expectReply(.diff(from: 1, to: nil), way)
        await expectReply(.restoreRevision(1), way)
        await expectReply(.alertReport(notices: 1), way)
        await expectReply(.alerts(.test), way)
        await expectReply(.alerts(.testChannel(.ntfy)), way)
        await expectReply(.alerts(.setPhoneSecret("", .ntfy, field: "token", server: "https://ntfy.sh")), way)
        await expectReply(.alerts(.change(AlertSettingsPatch())), way)
        await expectReply(.detection(.look), way)
        await expectReply(.links, way)
        await expectReply(.links(.clear(watch: nil)), way)
        await expectReply(.files, way)
        await expectReply(.sendFile(FileToShare(watch: watch, path: "/none")), way)
        await expectReply(.cancelFile(SharedFileID(high: 1, low: 1)), way)
        await expectReply(.addDose(dose), way)
        await expectReply(.doses(of: pool, limit: 5), way)
        await expectReply(.removeDose(dose.id), way)
        await expectReply(.advice(pool, AdviceNumbers()), way)
        await expectReply(.forecast(device), way)
        await expectReply(.historySize, way)
        await expectReply(.readings(of: device, before: nil, limit: 5), way)
        await expectReply(.readingLines(of: nil, before: nil, limit: 5), way)
        await expectReply(.series(of: device, .ph, from: now, through: now, points: 2), way)
        await expectReply(.exportReadings(HistoryExport(path: folder.path("readings.csv"))), way)
        await expectReply(.deleteReadings(of: device, from: now, through: now, expected: nil), way)
        await expectReply(.compactHistory, way)
        await expectReply(.exportConfiguration(ConfigurationExport(path: folder.path("export"), key: key)), way)
        await expectReply(.importConfiguration(ConfigurationImport(path: folder.path("export"), key: key)), way)
        await expectReply(.backUp(folder.path("backup")), way)
        await expectReply(.edit(.removePool(pool)), way)
    }

    private func named(_ name: String) -> ServerPatch {
        var server = ServerPatch()
        (server.name, server.host, server.port) = (name, "127.0.0.1", 1)
        return server
    }

    private func configure(_ way: some HubAsking) async throws {
        _ = try await way.ask(.edit(.addServer(named("Home"))))
        var device = DevicePatch()
        (device.name, device.topic) = ("Lagoon", "pool/1")
        device.serverID = try await way.ask(.state).serverID("Home")
        _ = try await way.ask(.edit(.addDevice(device)))
        var pool = PoolPatch()
        pool.name = "Garden"
        _ = try await way.ask(.edit(.addPool(pool)))
    }

    @Test func `each request to a folder without a hub gets its own kind of reply`() async throws {
        let folder = Folder(path: place.path)
        try await configure(folder)
        try await expectReplies(of: folder, in: try TemporaryFolder())
    }

    @Test func `each request to a running hub gets its own kind of reply`() async throws {
        try await hub.start()
        // Over its socket: a reference to the hub itself keeps its folder locked.
        let folder = Folder(path: place.path)
        try await configure(folder)
        try await expectReplies(of: folder, in: try TemporaryFolder())
        try await hub.stop()
    }

    @Test func `what a request does not expect is an error that says so, and what it refuses is one with the reason`() {
        let request = HubRequest.log(last: 1)
        #expect(throws: HubRequestError.refused("no")) { try request.reply(in: .refused("no")) }
        #expect(throws: HubRequestError.revisionMoved(3)) { try request.reply(in: .revisionMoved(3)) }
        #expect(throws: HubRequestError.anotherReply) { try request.reply(in: .done("done")) }
        #expect(
            "\(HubRequestError.anotherReply)" == "the hub gave another answer than it should; is it of another version?"
        )
    }

    @Test func `a running hub says which program it is, and a folder without one that no hub runs`() async throws {
        try await hub.start()
        let info = try await HubClient.ask(.about, path: place.path)
        #expect(info.version == Release.version)
        #expect(info.folder == place.path && info.endpoint.hasPrefix("tcp://127.0.0.1:"))
        #expect(Timestamp.now.milliseconds(since: info.startedAt) >= 0)
        try await hub.stop()
        await #expect(throws: ServiceFailure.self) { try await HubClient.ask(.about, path: place.path) }
    }
}

/// A folder of a hub, running or not.
private struct Folder: HubAsking {
    let path: String

    func perform(_ command: HubCommand) async throws -> HubReply { try await HubClient.perform(command, path: path) }
}
