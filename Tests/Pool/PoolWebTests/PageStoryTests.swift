import CommandSupport
import Foundation
import PoolModel
import ProgramFixture
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// The page beside a real hub, both as processes.
@Suite(.longWork) struct PageStoryTests: Household {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let origin = "http://127.0.0.1:"

    /// Starts the page, and gives its port and the code for the first account.
    private func startPage(_ arguments: String...) async throws -> (page: Program, port: Int, code: String?) {
        let port = try LocalTools.freePorts(1)[0]
        let page = try Program(["web", "--listen", "127.0.0.1:\(port)"] + arguments, in: folder)
        _ = try await page.line(containing: "serving at http://127.0.0.1:\(port)/")
        guard try await AccountStore(folder: folder.path("state"), product: .poolsensors).users.lackOwner() else {
            return (page, port, nil)
        }
        let line = try await page.line(containing: "code for the first account")
        return (page, port, line.split(separator: " ").last.map(String.init))
    }

    private func ask(
        _ port: Int, _ method: String, _ target: String, _ cookie: String = "", _ body: String = "",
        _ headers: [String: String] = [:]
    ) async throws -> (status: Int, headers: [String: String], body: String) {
        var all = headers
        if !cookie.isEmpty { all["Cookie"] = cookie }
        if method != "GET" { all["Origin"] = Self.origin + "\(port)" }
        return try await RawClient.ask(port, method, "/api/v1/\(target)", headers: all, body: body)
    }

    @Test func `V9 V10 V11 V16 a newcomer makes the first account, changes a pool and shares it by link`() async throws
    {
        let hub = try await startHub()
        try await run("pool", "add", "--name", "Garden", "--volume", "48")
        try await run("pool", "add", "--name", "Hall")
        var (page, port, code) = try await startPage()
        let made = try await ask(
            port, "POST", "setup", "",
            #"{"code":"\#(code ?? "")","name":"Ada","password":"\#(Bench.password)"}"#)
        #expect(made.status == 201, "\(made.body)")
        let cookie = String(made.headers["set-cookie"]?.prefix { $0 != ";" } ?? "")

        var pools = try await ask(port, "GET", "pools", cookie)
        // The page looks for the hub four times a second.
        try await poll("the page sees the pools") {
            pools = try await ask(port, "GET", "pools", cookie)
            return pools.body.contains("Garden")
        }
        let list = try JSONSerialization.jsonObject(with: Data(pools.body.utf8)) as? [[String: Any]]
        let id = try #require(list?.first { $0["name"] as? String == "Garden" }?["id"] as? String)
        let read = try await ask(port, "GET", "pools/\(id)", cookie)
        let edited = try await ask(
            port, "PATCH", "pools/\(id)", cookie, #"{"name":"Lagune"}"#, ["If-Match": read.headers["etag"] ?? ""])
        #expect(edited.status == 200, "\(edited.body)")
        // What was read is outdated now, whatever else happens.
        let late = try await ask(
            port, "PATCH", "pools/\(id)", cookie, #"{"name":"Late"}"#, ["If-Match": read.headers["etag"] ?? ""])
        #expect(late.status == 412 && late.body.contains("Lagune"))
        #expect(try await run("config", "log").joined().contains("web:Ada"))

        let shared = try await ask(port, "POST", "shares", cookie, #"{"poolID":"\#(id)"}"#)
        #expect(shared.status == 201, "\(shared.body)")
        let share = try JSONSerialization.jsonObject(with: Data(shared.body.utf8)) as? [String: Any]
        let secret = try #require((share?["path"] as? String)?.split(separator: "/").last)
        let guest = try await ask(port, "POST", "session", "", #"{"share":"\#(secret)"}"#)
        let guestCookie = String(guest.headers["set-cookie"]?.prefix { $0 != ";" } ?? "")
        let shown = try await ask(port, "GET", "pools", guestCookie)
        #expect(shown.body.contains("Lagune") && !shown.body.contains("Hall"))

        // A link that the command line revokes ends while the page runs, when that looks at the accounts again.
        let shareID = try #require((share?["share"] as? [String: Any])?["id"] as? String)
        try await run("web", "account", "share", "--revoke", shareID)
        try await poll("the link has ended") { try await ask(port, "GET", "pools", guestCookie).status == 401 }

        // The hub is killed and started again under the page.
        await end(hub)
        try await poll("the page has lost the hub") { try await ask(port, "GET", "pools", cookie).status == 503 }
        let next = try await startHub()
        try await poll("the page has found the hub") { try await ask(port, "GET", "pools", cookie).status == 200 }
        try await run("hub", "backup", folder.path("backup"))
        await end(page, next)

        // The accounts are there after a restart, also if the hub was restored from a backup, and no code is shown.
        try await run("hub", "restore", folder.path("backup"), "--yes")
        (page, port, code) = try await startPage()
        #expect(code == nil)
        #expect(try await ask(port, "GET", "me", cookie).body.contains("Ada"))
        await end(page)
    }

    @Test func `without TLS only this machine is served, and the refusal says the way out`() async throws {
        let (end, lines) = try await Program.run(["web", "--listen", "0.0.0.0:8080"], in: folder)
        #expect(end == .exited(64))
        #expect(lines.joined().contains("poolsensors web certificate --host pool.local"))
    }

    @Test func `accounts are managed at the command line`() async throws {
        let (end, lines) = try await Program.run(["web", "account", "list"], in: folder)
        #expect(end == .exited(0) && lines.first?.contains("no account yet") == true)
        let remove = try await Program.run(["web", "account", "remove", "Ada"], in: folder)
        #expect(remove.end == .exited(1) && remove.lines.joined().contains("there is no account \"Ada\""))
    }
}
