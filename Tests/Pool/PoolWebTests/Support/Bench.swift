import Foundation
import Logging
import Platform
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb

/// The page's server without sockets, on a fake hub, with a clock that is turned by hand.
final class Bench: Sendable {
    static let password = "plover heath 72"
    /// Hashing takes long, so it is done once.
    static let hash = Result { try PasswordHash(password) }

    let folder: TemporaryFolder
    let hub: FakeHub
    let watcher: HubWatcher
    let accounts: AccountStore
    let api: WebAPI
    let code: SetupCode
    let codes: Recorder<String>
    private let box: TimeBox

    init(_ state: HubState = SampleHub.state(), settings: WebSettings = WebSettings(hosts: ["pool.test"])) async throws
    {
        folder = try TemporaryFolder()
        let codes = Recorder<String>()
        self.codes = codes
        hub = FakeHub(state)
        watcher = HubWatcher(hub)
        accounts = try AccountStore(path: folder.path("web.sqlite"))
        code = SetupCode { codes.record($0) }
        let box = TimeBox()
        api = WebAPI(
            settings: settings, hub: watcher, accounts: accounts, setupCode: code, logger: Logger(label: "test"),
            clock: { box.now })
        self.box = box
        await watcher.look()
    }

    /// The time of sessions.
    final class TimeBox: Sendable {
        private let time = Lock(SampleHub.now)
        var now: Timestamp { time.withLock(\.self) }
        func pass(_ seconds: Int64) { time.withLock { $0 = $0.advanced(byMilliseconds: seconds * 1000) } }
    }

    func pass(seconds: Int64) { box.pass(seconds) }

    /// Adds a user, and begins a session.
    @discardableResult
    func user(_ name: String, _ role: Role, _ grants: [Grant] = []) throws -> Client {
        let user = try accounts.users.add(name: name, Self.hash.get(), role: role, grants: grants, at: box.now)
        return Client(self, cookie: try accounts.sessions.begin(of: user.id, agent: "test", at: box.now), id: user.id)
    }

    /// A guest with a link for the garden, and what revokes the link.
    func guestByLink() throws -> (guest: Client, revoke: @Sendable () throws -> Void) {
        let share = try accounts.shares.add(
            of: SampleHub.garden, by: "Ada", expires: box.now.advanced(byMilliseconds: 3_600_000), at: box.now)
        let session = try accounts.sessions.begin(share: share.secret, agent: "", at: box.now)
        let accounts = accounts
        return (
            Client(self, cookie: session),
            { guard try accounts.shares.remove(share.share.id) else { throw FakeHub.Gone() } }
        )
    }

    var nobody: Client { Client(self) }
}

/// Somebody who asks.
struct Client: Sendable {
    let bench: Bench
    var cookie: String?
    var token: String?
    var id = ""

    init(_ bench: Bench, cookie: String? = nil, token: String? = nil, id: String = "") {
        self.bench = bench
        self.cookie = cookie
        self.token = token
        self.id = id
    }

    /// Asks; a body makes it JSON.
    func ask(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async -> Answer {
        var all = ["host": "pool.test", "origin": "http://pool.test"]
        if let cookie { all["cookie"] = "other=1; poolsensors=\(cookie)" }
        if let token { all["authorization"] = "Bearer \(token)" }
        if body != nil { all["content-type"] = "application/json" }
        all.merge(headers) { $1 }
        let target = target.hasPrefix("/") ? target : "/api/v1/\(target)"
        let request = WebRequest(
            method: method, target: target, headers: all.filter { !$0.value.isEmpty }, body: Array((body ?? "").utf8))
        return Answer(await bench.api.respond(to: request))
    }

    func get(_ target: String) async -> Answer { await ask("GET", target) }
}

/// What came back.
struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let text: String
    let response: WebResponse

    init(_ response: WebResponse) {
        self.response = response
        status = response.status
        headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        if case .bytes(let bytes) = response.body { text = String(decoding: bytes, as: UTF8.self) } else { text = "" }
    }

    struct NoStream: Error {}

    /// Writes a body that is written piece by piece.
    func write(to stream: any WebStream) async throws {
        guard case .stream(let write) = response.body else { throw NoStream() }
        try await write(stream)
    }

    var json: Any? { try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) }
    var object: [String: Any] { json as? [String: Any] ?? [:] }
    var list: [[String: Any]] { json as? [[String: Any]] ?? [] }
    var tag: String { headers["etag"] ?? "" }
    /// The last part of a problem's type.
    var problem: String { (object["type"] as? String)?.split(separator: ":").last.map(String.init) ?? "" }
    var detail: String { object["detail"] as? String ?? "" }
    /// The session of a new cookie.
    var session: String? {
        headers["set-cookie"]?.split(separator: ";").first?.split(separator: "=", maxSplits: 1).last.map(String.init)
    }
}
