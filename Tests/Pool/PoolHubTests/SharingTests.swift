import Foundation
import Platform
import PoolControl
import PoolDecoding
import PoolModel
import SyncCore
import SyncStore
import TestSupport
import Testing
import Vault

@testable import PoolHub

/// V5 L3: a second hub imports the configuration of the first one, by commands with stopped hubs.
@Suite struct SharingTests {
    /// The cheapest accepted key, because these tests are about the contents of the file.
    private static let key = Result { try PassphraseKey("correct horse battery", costExponent: 14) }

    private let key: PassphraseKey
    private let first: TestHubFolder
    private let second: TestHubFolder
    private let file: String

    init() throws {
        key = try Self.key.get()
        first = try TestHubFolder()
        second = try TestHubFolder()
        file = "\(URL(filePath: first.path).deletingLastPathComponent().path)/pool.export"
    }

    @discardableResult
    private func ask(_ folder: TestHubFolder, _ request: HubCommand) async throws -> HubReply {
        try await HubClient.perform(request, path: folder.path)
    }

    private func report(_ folder: TestHubFolder) async throws -> HubState {
        guard case .state(let report) = try await ask(folder, .state) else { throw NotRunning() }
        return report
    }

    private func server(_ name: String, host: String = "127.0.0.1", password: String? = nil) -> ServerPatch {
        var draft = ServerPatch()
        (draft.name, draft.host, draft.username, draft.password) = (name, host, "hub", password)
        return draft
    }

    private func device(_ name: String, topic: String, pool: PoolID? = nil) -> DevicePatch {
        var draft = DevicePatch()
        (draft.name, draft.topic, draft.poolID) = (name, topic, pool.map { .set($0) })
        return draft
    }

    /// Configures the first hub with everything that two hubs can share.
    private func configureFirst() async throws {
        try await ask(first, .edit(.addServer(server("Home", password: "wet-secret"))))
        var pool = PoolPatch()
        (pool.name, pool.volume) = ("Garden", 48)
        try await ask(first, .edit(.addPool(pool)))
        var mapped = device("Lagoon", topic: "pool/1", pool: try await report(first).poolID("Garden"))
        mapped.mapping = .set(try #require(try BuiltInProfile.named("zigbee2mqtt").mapping))
        try await ask(first, .edit(.addDevice(mapped)))
        let limits = Limits(criticalLow: 6.5, low: 7, high: 7.4, criticalHigh: 7.8)
        try await ask(first, .edit(.setLimits(.pool(report(first).poolID("Garden")), .ph, limits)))
        try await ask(first, .edit(.selectDevice(report(first).deviceID("Lagoon"))))
        try await ask(first, .edit(.setHistory(HistorySettings(rawDays: 60))))
        var alerts = AlertSettingsPatch()
        (alerts.webhookURL, alerts.webhookSecretName) = ("https://example.com/hook", "hook")
        try await ask(first, .alerts(.change(alerts)))
        try await ask(first, .alerts(.setSigningSecret("hush-hush", name: "hook")))
    }

    @discardableResult
    private func export() async throws -> ConfigurationExportReport {
        let wish = ConfigurationExport(path: file, key: key, replaces: true)
        let answer = try await ask(first, .exportConfiguration(wish))
        guard case .configurationExported(let report) = answer else { throw NotRunning() }
        return report
    }

    private func wish(
        keep: ConfigurationMerge.Side? = nil, removesOthers: Bool = false, applies: Bool = true
    ) -> HubEdit {
        .importConfiguration(
            ConfigurationImport(
                path: file, key: key, policy: .init(keep: keep, removesOthers: removesOthers), applies: applies))
    }

    private func takeIn(
        keep: ConfigurationMerge.Side? = nil, removesOthers: Bool = false, applies: Bool = true
    ) async throws -> ConfigurationImportReport {
        let answer = try await ask(second, .edit(wish(keep: keep, removesOthers: removesOthers, applies: applies)))
        guard case .configurationImport(let report) = answer else {
            Issue.record("answered \(answer)")
            throw NotRunning()
        }
        return report
    }

    private func configuration(_ folder: TestHubFolder) throws -> PoolConfiguration {
        try HubFolder(path: folder.path).configuration()
    }

    private func password(_ folder: TestHubFolder) throws -> String? {
        let hub = try HubFolder(path: folder.path)
        return try hub.secrets.password(of: try #require(try hub.configuration().servers.first).id)
    }

    private func summary(_ report: ConfigurationImportReport) -> [String] {
        report.rows.map { "\($0.outcome.rawValue): \($0.subject)" }
    }

    @Test func `V5 L3 an empty hub becomes like the other one, secrets included, by one change`() async throws {
        try await configureFirst()
        let written = try await export()
        #expect(written.servers == 1 && written.devices == 1 && written.pools == 1 && written.secrets == 2)
        #expect(written.problems == [])

        let preview = try await takeIn(applies: false)
        #expect(preview.revision == nil && preview.obstacles == [] && preview.notes == [])
        #expect(try configuration(second) == PoolConfiguration())
        let report = try await takeIn()

        #expect(report.rows == preview.rows)
        #expect(
            summary(report) == [
                #"added: device "Lagoon""#, #"added: pool "Garden""#, "added: selected device",
                "added: time that the history is kept", "added: settings of alerts", #"added: server "Home""#,
                #"added: password of the server "Home""#, #"added: secret "hook" that signs webhooks"#,
            ])
        #expect(report.revisionBefore == 0 && report.revision == 1)
        #expect(try configuration(second) == configuration(first))
        #expect(try password(second) == "wet-secret")
        #expect(try HubFolder(path: second.path).secrets.signingSecret(named: "hook") == "hush-hush")
        guard case .log(let log) = try await ask(second, .log(last: 5)) else { throw NotRunning() }
        #expect(log.count == 1 && log[0].author == "hub")
    }

    @Test func `V5 P115 secrets of services for phones go along, each for its address only`() async throws {
        let address = "https://ntfy.example.org"
        var alerts = AlertSettingsPatch()
        alerts.phones = [.ntfy: .set(PhoneSettings(["topic": "pool", "server": address]))]
        try await ask(first, .alerts(.change(alerts)))
        try await ask(first, .alerts(.setPhoneSecret("tk_first", .ntfy, field: "token", server: address)))
        try await export()
        // The other hub sends to another server, and keeps what it has.
        alerts.phones = [.ntfy: .set(PhoneSettings(["topic": "mine"]))]
        try await ask(second, .alerts(.change(alerts)))
        try await ask(second, .alerts(.setPhoneSecret("tk_second", .ntfy, field: "token", server: "https://ntfy.sh")))
        _ = try await takeIn(keep: .mine)
        let service = try #require(PhoneService.of(.ntfy))
        func secrets(at address: String) throws -> [String: String] {
            try HubFolder(path: second.path).secrets.secrets(of: service, at: address)
        }
        #expect(try secrets(at: address) == [:])
        #expect(try secrets(at: "https://ntfy.sh") == ["token": "tk_second"])
        let report = try await takeIn(keep: .theirs)
        #expect(summary(report).contains("added: token of ntfy at https://ntfy.example.org"))
        #expect(try secrets(at: address) == ["token": "tk_first"])
        #expect(try secrets(at: "https://ntfy.sh") == ["token": "tk_second"])
    }

    @Test func `V5 the same file once more changes nothing`() async throws {
        try await configureFirst()
        try await export()
        for _ in 0..<2 {
            for keep in [nil, ConfigurationMerge.Side.mine, .theirs] {
                let report = try await takeIn(keep: keep)
                #expect(report.revision == 1)
            }
        }
        let last = try await takeIn(keep: .theirs, removesOthers: true)
        #expect(last.rows == [] && last.changeCount == 0 && last.secretCount == 0 && last.sameCount > 10)
        // The same applies to the hub that wrote the file.
        let revision = try await report(first).revision
        _ = try await ask(first, .edit(wish(keep: .theirs, removesOthers: true)))
        #expect(try await report(first).revision == revision)
    }

    @Test func `V5 P115 no secret is in clear in the file or at the second hub, whose seal is its own`() async throws {
        try await configureFirst()
        try await export()
        _ = try await takeIn()
        var bytes = [file: try Data(contentsOf: URL(filePath: file))]
        for folder in [second.path, HubFolder.defaultKeyPath(path: second.path)] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                bytes["\(folder)/\(name)"] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            }
        }
        for (path, contents) in bytes {
            for secret in ["wet-secret", "hush-hush"] {
                #expect(contents.range(of: Data(secret.utf8)) == nil, "\(path)")
            }
        }
        #expect(bytes[file]?.range(of: Data("Lagoon".utf8)) == nil)
        let keys = try [first, second].map { folder in
            let path = HubFolder.defaultKeyPath(path: folder.path) + "/\(SealedSecrets.keyName).secret"
            return try Data(contentsOf: URL(filePath: path))
        }
        #expect(keys[0] != keys[1])
    }

    @Test func `V5 what belongs to one hub is not in the file`() async throws {
        try await configureFirst()
        let hub = TestHub(first)
        try await hub.start()
        _ = try await hub.perform(.invite(name: "Wrist", validForSeconds: 60))
        try await hub.stop()
        try await export()

        let told = try ExportedConfiguration(reading: file, with: key)

        #expect(Set(told.entries.map(\.kind)) == ["server", "device", "pool", "pref"])
        let identity = try HubFolder(path: first.path).shortName
        let revision = try await report(first).revision
        #expect(told.hub == identity && told.revision == revision)
    }

    @Test func `V5 where both differ nothing is applied until the policy says whose is kept`() async throws {
        try await configureFirst()
        try await export()
        _ = try await takeIn()
        try await ask(second, .edit(.editDevice(report(second).deviceID("Lagoon"), device("Mine", topic: "pool/mine"))))
        var changed = ServerPatch()
        changed.password = "my-own"
        try await ask(second, .edit(.editServer(report(second).serverID("Home"), changed)))
        try await ask(second, .edit(.addDevice(device("Spa", topic: "pool/2"))))
        let before = try configuration(second)

        guard case .refused(let sentence) = try await ask(second, .edit(wish())) else { throw NotRunning() }
        #expect(sentence.contains("3 things differ") && sentence.contains("--keep mine or --keep theirs"))
        #expect(try configuration(second) == before)
        let preview = try await takeIn(applies: false)
        #expect(
            summary(preview) == [
                #"undecided: name of the device "Mine""#, #"undecided: topic of the device "Mine""#,
                #"undecided: password of the server "Home""#, #"stays: device "Spa""#,
            ])
        try #require(preview.rows.count == 4)
        #expect(preview.rows[0].mine == #""Mine""# && preview.rows[0].theirs == #""Lagoon""#)
        #expect(preview.rows[1].mine == #"topic "pool/mine""# && preview.rows[1].theirs == #"topic "pool/1""#)
        #expect(preview.rows[2].mine == "one" && preview.rows[2].theirs == "another one")

        _ = try await takeIn(keep: .mine)
        #expect(try configuration(second) == before)
        #expect(try password(second) == "my-own")
        let revision = try await report(second).revision

        let taken = try await takeIn(keep: .theirs)
        #expect(taken.revisionBefore == revision && taken.revision == revision + 1)
        #expect(try configuration(second).devices.map(\.name) == ["Lagoon", "Spa"])
        #expect(try password(second) == "wet-secret")
        // Nothing of the configuration is lost: one command restores it.
        try await ask(second, .restoreRevision(taken.revisionBefore))
        #expect(try configuration(second) == before)

        _ = try await takeIn(keep: .theirs, removesOthers: true)
        #expect(try configuration(second) == configuration(first))
    }

    @Test func `V5 a password is never kept for another address than its own`() async throws {
        try await configureFirst()
        try await export()
        _ = try await takeIn()
        // The second hub reaches the same server at another address, and without a password.
        var moved = ServerPatch()
        (moved.host, moved.password) = ("10.0.0.1", "")
        try await ask(second, .edit(.editServer(report(second).serverID("Home"), moved)))

        let mine = try await takeIn(keep: .mine)
        #expect(summary(mine) == [#"mine: address of the server "Home""#, #"mine: password of the server "Home""#])
        #expect(try password(second) == nil)
        _ = try await takeIn(keep: .theirs)
        #expect(try password(second) == "wet-secret")

        // The same in the other direction: the other hub's address has no password.
        try await ask(first, .edit(.editServer(report(first).serverID("Home"), moved)))
        try await export()
        let theirs = try await takeIn(keep: .theirs)
        #expect(theirs.secretCount == 1)
        #expect(try configuration(second).servers.map(\.host) == ["10.0.0.1"])
        #expect(try password(second) == nil)
    }

    /// A running hub connects as soon as the configuration has changed.
    @Test func `V5 while a server gets another address its old password is with neither`() async throws {
        try await configureFirst()
        try await export()
        _ = try await takeIn()
        var elsewhere = ServerPatch()
        (elsewhere.host, elsewhere.password) = ("10.0.0.1", "dry-secret")
        let home = try #require(try configuration(second).servers.first).id
        let folder = try HubFolder(path: second.path)
        let spy = SpyLedger(ledger: try RestingLedger(folder.store)) {
            try folder.secrets.password(of: home)
        }
        let desk = ConfigurationEditor(ledger: spy, secrets: folder.secrets)

        guard case .done = try await desk.edit(.editServer(home, elsewhere)) else { throw NotRunning() }
        #expect(spy.seen.passwords == [nil])
        #expect(try folder.secrets.password(of: home) == "dry-secret")

        guard case .configurationImport = try await desk.edit(wish(keep: .theirs)) else { throw NotRunning() }
        #expect(spy.seen.passwords == [nil, nil])
        #expect(try folder.secrets.password(of: home) == "wet-secret")

        // A rejected import leaves the password unchanged.
        elsewhere.host = ""
        await #expect(throws: (any Error).self) { try await desk.edit(.editServer(home, elsewhere)) }
        #expect(try folder.secrets.password(of: home) == "wet-secret")
    }

    /// A ledger that reads a password when it changes.
    private struct SpyLedger: HubLedger {
        let ledger: RestingLedger
        let password: @Sendable () throws -> String?
        let seen = Seen()

        final class Seen: Sendable {
            private let kept = Lock<[String?]>([])
            var passwords: [String?] { kept.withLock(\.self) }
            func add(_ password: String?) { kept.withLock { $0.append(password) } }
        }

        func contents() async throws -> LedgerContents { try await ledger.contents() }

        func transact(_ changes: [CellChange], expected: Version, author: String?) async throws {
            seen.add(try password())
            try await ledger.transact(changes, expected: expected, author: author)
        }

        func settle(_ conflict: RandomID, restoring: Bool, author: String?) async throws {
            try await ledger.settle(conflict, restoring: restoring, author: author)
        }
    }

    @Test func `V5 a name that both hubs gave to different things is refused with the way out`() async throws {
        try await configureFirst()
        try await export()
        var pool = PoolPatch()
        pool.name = "Garden"
        try await ask(second, .edit(.addPool(pool)))
        let before = try configuration(second)

        let preview = try await takeIn(keep: .theirs, applies: false)
        #expect(preview.obstacles.count == 1)
        guard case .refused(let sentence) = try await ask(second, .edit(wish(keep: .theirs))) else {
            throw NotRunning()
        }
        #expect(sentence.contains(#"two of the pools would be called "Garden""#), "\(sentence)")
        #expect(sentence.contains("`poolsensors pool edit`"))
        #expect(try configuration(second) == before)
        #expect(try HubFolder(path: second.path).secrets.signingSecret(named: "hook") == nil)

        pool.name = "Back"
        try await ask(second, .edit(.editPool(report(second).poolID("Garden"), pool)))
        _ = try await takeIn()
        #expect(try configuration(second).pools.map(\.name) == ["Back", "Garden"])
    }

    @Test func `V5 files that the configuration names and that are not here are told`() async throws {
        var secured = server("Home")
        secured.caFile = "/nowhere/ca.pem"
        try await ask(first, .edit(.addServer(secured)))
        try await export()
        let notes = try await takeIn().notes
        #expect(notes.count == 1 && notes[0].contains(#"the server "Home" names /nowhere/ca.pem"#), "\(notes)")
    }

    @Test func `V5 nothing is removed for a file of which a part cannot be read`() async throws {
        try await configureFirst()
        try await export()
        _ = try await takeIn()
        var told = try ExportedConfiguration(reading: file, with: key)
        told.entries.removeAll { $0.kind == "pool" }
        told.entries.append(
            ExportedConfiguration.Entry(
                kind: "pool", record: ConfigurationEntry.Record(high: 7, low: 1), group: "name", value: "no JSON"))
        try SealedExport(try CanonicalJSON.encode(told), with: key).write(to: file, replaces: true)
        let before = try configuration(second)

        guard case .refused(let sentence) = try await ask(second, .edit(wish(keep: .theirs, removesOthers: true)))
        else {
            throw NotRunning()
        }
        #expect(sentence.contains("leave --remove-others out"), "\(sentence)")
        #expect(try configuration(second) == before)
        #expect(try await takeIn(keep: .theirs).obstacles.isEmpty)
    }

    @Test func `V5 an import that cannot be stored leaves no secret behind`() async throws {
        try await configureFirst()
        try await export()
        var told = try ExportedConfiguration(reading: file, with: key)
        // Watches must be able to receive the complete configuration, so there is no room for hundreds of long names.
        let name = String(repeating: "n", count: 240)
        told.entries += (0..<1300).map { number in
            ExportedConfiguration.Entry(
                kind: "pool", record: ConfigurationEntry.Record(high: 7, low: number), group: "name",
                value: #"{"name":"\#(number) \#(name)"}"#)
        }
        told.entries += (0..<1300).map { number in
            ExportedConfiguration.Entry(
                kind: "pool", record: ConfigurationEntry.Record(high: 7, low: number), group: "water", value: "{}")
        }
        try SealedExport(try CanonicalJSON.encode(told), with: key).write(to: file, replaces: true)

        guard case .refused(let sentence) = try await ask(second, .edit(wish())) else { throw NotRunning() }
        #expect(sentence.contains("too large for the watches"), "\(sentence)")
        #expect(try configuration(second) == PoolConfiguration())
        let secrets = try HubFolder(path: second.path).secrets
        #expect(try secrets.password(of: try #require(try configuration(first).servers.first).id) == nil)
        #expect(try secrets.signingSecret(named: "hook") == nil)
    }
}
