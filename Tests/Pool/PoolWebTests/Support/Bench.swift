import Foundation
import Logging
import Platform
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

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
    /// The secrets of the links that were made.
    let links = Recorder<String>()
    private let box: TimeBox

    init(
        _ state: HubState = SampleHub.state(),
        settings: WebSettings = WebSettings(product: .poolsensors, hosts: ["pool.test"])
    ) async throws {
        folder = try TemporaryFolder()
        let codes = Recorder<String>()
        self.codes = codes
        hub = FakeHub(state)
        watcher = HubWatcher(hub)
        accounts = try AccountStore(path: folder.path("web.sqlite"), product: .poolsensors)
        code = SetupCode { codes.record($0) }
        let box = TimeBox()
        api = WebAPI(
            settings: settings, hub: watcher, accounts: accounts, setupCode: code, logger: Logger(label: "test"),
            clock: { box.now }, steadyClock: { [moment = ContinuousClock.now] in moment })
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
    func user(_ name: String, _ role: Role, _ grants: [Grant] = []) async throws -> Client {
        if role != .owner, try await accounts.users.lackOwner() {
            _ = try await accounts.users.add(name: "First", Self.hash.get(), role: .owner, grants: [], at: box.now)
        }
        let user = try await accounts.users.add(name: name, Self.hash.get(), role: role, grants: grants, at: box.now)
        let begun = try await accounts.sessions.begin(of: user.id, agent: "test", at: box.now)
        return Client(self, cookie: begun.session, device: begun.device, id: user.id)
    }

    /// A guest with a link for the garden, and what revokes the link.
    func guestByLink() async throws -> (guest: Client, revoke: @Sendable () async throws -> Void) {
        let share = try await accounts.shares.add(
            of: "\(SampleHub.garden)", by: "Ada", expires: box.now.advanced(byMilliseconds: 3_600_000), at: box.now)
        links.record(share.secret)
        let session = try await accounts.sessions.begin(share: share.secret, agent: "", at: box.now)
        let accounts = accounts
        return (
            Client(self, cookie: session),
            { guard try await accounts.shares.remove(share.share.id) else { throw FakeHub.Gone() } }
        )
    }

    var nobody: Client { Client(self) }
}

/// Somebody who asks.
struct Client: Sendable {
    let bench: Bench
    var cookie: String?
    var token: String?
    /// What the browser has of an earlier login.
    var device: String?
    var address: String
    var id = ""

    init(
        _ bench: Bench, cookie: String? = nil, token: String? = nil, device: String? = nil,
        address: String = "127.0.0.1", id: String = ""
    ) {
        self.device = device
        self.address = address
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
        var cookies = ["other=1"]
        if let cookie { cookies.append("poolsensors=\(cookie)") }
        if let device { cookies.append("poolsensors-device=\(device)") }
        if cookies.count > 1 { all["cookie"] = cookies.joined(separator: "; ") }
        if let token { all["authorization"] = "Bearer \(token)" }
        if body != nil { all["content-type"] = "application/json" }
        all.merge(headers) { $1 }
        let target = target.hasPrefix("/") ? target : "/api/v1/\(target)"
        let request = WebRequest(
            method: method, target: target, headers: all.filter { !$0.value.isEmpty }, body: Array((body ?? "").utf8),
            address: address)
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
    var session: String? { cookie("poolsensors") }

    /// The value of a new cookie; nil if the answer sets none of this name.
    func cookie(_ name: String) -> String? {
        response.headers.filter { $0.name == "set-cookie" }.compactMap { field in
            let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            return pair.first == name ? pair.last : nil
        }.first
    }
}
