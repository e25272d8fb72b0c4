import Foundation
import GRDB
import Platform
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// The file of the accounts, when it cannot be written, is replaced, or is none.
@Suite struct AccountFileTests {
    private static let login = #"{"name":"Ada","password":"\#(Bench.password)"}"#

    /// Holds a file for a change, as another program does, until the thread is signalled.
    private static func hold(_ path: String) async throws -> (release: HeldThread, holding: Task<Void, any Error>) {
        let other = try AccountFile(path: path, product: .poolsensors)
        let (holds, release) = (Recorder<Bool>(), HeldThread())
        let holding = Task {
            try await other.write { _ in
                holds.record(true)
                release.wait()
            }
        }
        await holds.wait { !$0.isEmpty }
        return (release, holding)
    }

    @Test func `who is logged in reads on while nothing can be written, and others are told why they must wait`()
        async throws
    {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let made = await ada.ask("POST", "tokens", #"{"name":"script","scopes":["read"]}"#)
        let script = Client(bench, token: try #require(made.object["secret"] as? String))
        // Another program holds the file, as one that writes to a full disk does.
        let (release, holding) = try await Self.hold(bench.folder.path("web.sqlite"))
        // The last use was long ago, so each of these uses is to be noted.
        bench.pass(seconds: 120)
        for client in [ada, script] {
            #expect(await client.get("pools").list.count == 2)
            #expect(await client.get("events").status == 200)
        }
        await bench.accounts.writeNotes()
        let refused = await bench.nobody.ask("POST", "session", Self.login)
        #expect(refused.status == 503 && refused.problem == "accounts-absent", "\(refused.text)")
        #expect(refused.detail.contains("cannot be written now (database is locked)"), "\(refused.detail)")
        #expect(!refused.text.contains(bench.folder.path("web.sqlite")))
        #expect(await ada.get("pools").status == 200)
        release.signal()
        try await holding.value
        #expect(await bench.nobody.ask("POST", "session", Self.login).status == 201)
        // What could not be written then is written now.
        await bench.accounts.writeNotes()
        let user = try await AccountStore(path: bench.folder.path("web.sqlite"), product: .poolsensors).users.find(
            named: "Ada")
        #expect(user?.lastSeen == SampleHub.now.advanced(byMilliseconds: 120_000))
    }

    @Test func `a file that replaces the one in use is noticed, and its accounts are those that count`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let path = bench.folder.path("web.sqlite")
        let kept = bench.folder.path("kept")
        do {
            let others = try AccountStore(path: kept, product: .poolsensors)
            _ = try await others.users.add(
                name: "Ben", Bench.hash.get(), role: .owner, grants: [], at: SampleHub.now)
        }
        await bench.accounts.look()
        let before = bench.accounts.generation
        try FileManager.default.removeItem(atPath: path)
        // Between the two there is no file, which is no new one.
        await bench.accounts.look()
        #expect(await ada.get("me").status == 200)
        try FileManager.default.moveItem(atPath: kept, toPath: path)
        await bench.accounts.look()
        #expect(bench.accounts.generation > before)
        #expect(await ada.get("me").status == 401)
        #expect(try await bench.accounts.users.all().map(\.name) == ["Ben"])
        let login = #"{"name":"Ben","password":"\#(Bench.password)"}"#
        #expect(await bench.nobody.ask("POST", "session", login).status == 201)
        #expect(
            try await AccountStore(path: path, product: .poolsensors).users.find(named: "Ben")?.lastSeen
                == SampleHub.now)
    }

    @Test
    func `a file that is copied over the one in use is noticed, and nothing of the earlier one is written into it`()
        async throws
    {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let (path, kept) = (bench.folder.path("web.sqlite"), bench.folder.path("kept"))
        do {
            let others = try AccountStore(path: kept, product: .poolsensors)
            _ = try await others.users.add(
                name: "Ben", Bench.hash.get(), role: .owner, grants: [], at: SampleHub.now)
        }
        func copy(_ source: String) throws {
            // Into the same file, as cp does.
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: try #require(FileManager.default.contents(atPath: source)))
            try handle.close()
        }
        await bench.accounts.look()
        try FileManager.default.copyItem(atPath: path, toPath: bench.folder.path("first"))
        let before = bench.accounts.generation
        try copy(kept)
        // A login at once, before the next look.
        let login = #"{"name":"Ben","password":"\#(Bench.password)"}"#
        _ = await bench.nobody.ask("POST", "session", login)
        await bench.accounts.look()
        await bench.accounts.look()
        #expect(bench.accounts.generation > before)
        #expect(await ada.get("me").status == 401)
        #expect(try await bench.accounts.users.all().map(\.name) == ["Ben"])
        #expect(await bench.nobody.ask("POST", "session", login).status == 201)
        await bench.accounts.look()
        try copy(bench.folder.path("first"))
        await bench.accounts.look()
        await bench.accounts.look()
        #expect(await ada.get("me").status == 200)
        #expect(await bench.nobody.ask("POST", "session", Self.login).status == 201)
        // What was only touched is the same file.
        try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: path)
        await bench.accounts.look()
        await bench.accounts.look()
        #expect(await ada.get("me").status == 200)
        #expect(try await AccountStore(path: path, product: .poolsensors).users.all().map(\.name) == ["Ada"])
    }

    @Test func `accounts are read where nothing can be written beside them, and changed as soon as that is possible`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("web.sqlite")
        let secret: String
        do {
            let store = try AccountStore(path: path, product: .poolsensors)
            let user = try await store.users.add(
                name: "Ada", Bench.hash.get(), role: .owner, grants: [], at: SampleHub.now)
            secret = try await store.sessions.begin(of: user.id, agent: "", at: SampleHub.now).session
        }
        // In the place of a full disk: SQLite cannot make its files.
        for beside in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + beside)
        }
        try FileManager.default.createDirectory(atPath: path + "-shm", withIntermediateDirectories: false)
        let store = try AccountStore(path: path, product: .poolsensors)
        #expect(try await store.sessions.account(of: secret, at: SampleHub.now)?.name == "Ada")
        let error = await #expect(throws: AccountError.self) { try await store.sessions.end(secret) }
        guard case .unwritable = error else { return #expect(Bool(false), "\(String(describing: error))") }
        await store.look()
        #expect(try await store.sessions.account(of: secret, at: SampleHub.now)?.name == "Ada")
        try FileManager.default.removeItem(atPath: path + "-shm")
        await store.look()
        try await store.sessions.end(secret)
        #expect(try await store.sessions.account(of: secret, at: SampleHub.now) == nil)
    }

    @Test func `a file that another program holds for itself is waited for`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("web.sqlite")
        do {
            _ = try await AccountStore(path: path, product: .poolsensors).users.add(
                name: "Ada", Bench.hash.get(), role: .owner, grants: [], at: SampleHub.now)
        }
        let holder = try DatabaseQueue(path: path)
        try await holder.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "UPDATE user SET seen = 1")
        }
        let store = try AccountStore(path: path, product: .poolsensors)
        await store.look()
        let error = await #expect(throws: AccountError.self) { try await store.users.all() }
        #expect(error?.outage?.contains("database is locked") == true)
        try holder.close()
        await store.look()
        #expect(try await store.users.all().map(\.name) == ["Ada"])
    }

    @Test func `who asks while another program holds the file waits once, however many ask`() async throws {
        let bench = try await Bench()
        try await bench.user("Ada", .owner)
        let (release, holding) = try await Self.hold(bench.folder.path("web.sqlite"))
        func ask(_ number: Int) async -> Int {
            await Client(bench, address: "192.168.1.\(number)").ask("POST", "session", #"{"share":"0123"}"#).status
        }
        let clock = ContinuousClock()
        // One after the other they would wait twenty times as long as one alone; other tests may delay a round, but not each.
        var isOnce = false
        for round in 0..<20 where !isOnce {
            let alone = await clock.measure { #expect(await ask(100 + round) == 503) }
            let begin = clock.now
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask { await ask(number) }
                }
                for await status in group { #expect(status == 503) }
            }
            isOnce = begin.duration(to: .now) < alone * 10
        }
        #expect(isOnce)
        release.signal()
        try await holding.value
    }

    @Test func `the files beside that of the accounts have its rights`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("web.sqlite")
        _ = try AccountStore(path: path, product: .poolsensors)
        // SQLite leaves them so after a time when the file could only be read.
        for beside in ["-wal", "-shm"] {
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o444]
            #expect(FileManager.default.createFile(atPath: path + beside, contents: nil, attributes: attributes))
        }
        let store = try AccountStore(path: path, product: .poolsensors)
        for beside in ["-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + beside)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(beside)")
        }
        withExtendedLifetime(store) {}
    }

    @Test func `what another process changes is seen by the next look`() async throws {
        let bench = try await Bench()
        try await bench.user("Ada", .owner)
        await bench.accounts.look()
        let before = bench.accounts.generation
        await bench.accounts.look()
        #expect(bench.accounts.generation == before)
        let other = try AccountStore(path: bench.folder.path("web.sqlite"), product: .poolsensors)
        _ = try await other.users.add(name: "Ben", Bench.hash.get(), role: .guest, grants: [], at: SampleHub.now)
        await bench.accounts.look()
        #expect(bench.accounts.generation > before)
    }

    @Test func `a damaged file is named, with the way out`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("web.sqlite")
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
        let error = #expect(throws: AccountError.self) { try AccountStore(path: path, product: .poolsensors) }
        #expect(error == .damaged(path) && error?.description.contains("move it away") == true)
    }

    @Test func `the cookie of a session lasts as long as the session, and is renewed by its use`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        #expect(await ada.get("me").session == nil)
        bench.pass(seconds: 20 * 86_400)
        let used = await ada.get("pools")
        #expect(used.session == ada.cookie)
        #expect(used.headers["set-cookie"]?.contains("Max-Age=\(30 * 86_400)") == true)
        #expect(await ada.get("pools").session == nil)
        bench.pass(seconds: 20 * 86_400)
        #expect(await ada.get("me").status == 200)
        let (guest, _) = try await bench.guestByLink()
        bench.pass(seconds: 1800)
        // A link ends when it ends.
        #expect(await guest.get("me").session == nil)
    }
}
