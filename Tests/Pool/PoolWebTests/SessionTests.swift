import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// Sessions, the first account, passwords and what browsers must send.
@Suite struct SessionTests {
    private func body(_ members: KeyValuePairs<String, String>) -> String {
        "{" + members.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
    }

    @Test func `V16 the first owner needs the code that the terminal showed, and there is no second first one`()
        async throws
    {
        let bench = try await Bench()
        bench.code.begin()
        let code = try #require(bench.codes.items.last)
        #expect(await bench.nobody.get("setup").object["isNeeded"] as? Bool == true)
        let wrong = await bench.nobody.ask(
            "POST", "setup", body(["code": "AAAAAAAA", "name": "Ada", "password": Bench.password]))
        #expect(wrong.status == 422 && wrong.object["member"] as? String == "code")
        let made = await bench.nobody.ask(
            "POST", "setup", body(["code": code.lowercased(), "name": "Ada", "password": Bench.password]))
        #expect(made.status == 201 && made.object["role"] as? String == "owner")
        let owner = Client(bench, cookie: made.session)
        #expect(await owner.get("users").list.count == 1)
        let again = await bench.nobody.ask(
            "POST", "setup", body(["code": code, "name": "Eve", "password": Bench.password]))
        #expect(again.status == 409)
        #expect(await bench.nobody.get("setup").object["isNeeded"] as? Bool == false)
    }

    @Test func `wrong codes of a stranger, however many, do not void the code, and other addresses may go on`()
        async throws
    {
        let bench = try await Bench()
        bench.code.begin()
        let code = try #require(bench.codes.items.last)
        let stranger = Client(bench, address: "192.168.1.66")
        var statuses: Set<Int> = []
        for _ in 0..<60 {
            let answer = await stranger.ask(
                "POST", "setup", body(["code": "AAAAAAAA", "name": "Eve", "password": Bench.password]))
            statuses.insert(answer.status)
        }
        #expect(statuses == [422, 429])
        #expect(bench.codes.items == [code])
        let made = await Client(bench, address: "192.168.1.20").ask(
            "POST", "setup", body(["code": code, "name": "Ada", "password": Bench.password]))
        #expect(made.status == 201)
    }

    @Test func `a code is too old after fifteen minutes`() {
        let clock = ManualClock()
        let codes = Recorder<String>()
        let code = SetupCode(now: { clock.now }) { codes.record($0) }
        code.begin()
        clock.pass(.seconds(15 * 60))
        #expect(!code.accepts(codes.items[0]))
        #expect(codes.items.count == 2)
        #expect(code.accepts(codes.items[1]))
    }

    @Test func `V16 a password begins a session, a wrong one and an unknown name get the same answer`() async throws {
        let bench = try await Bench()
        try await bench.user("Ada", .owner)
        let wrong = await bench.nobody.ask("POST", "session", body(["name": "Ada", "password": "plover heath 73"]))
        let unknown = await bench.nobody.ask("POST", "session", body(["name": "Eve", "password": Bench.password]))
        #expect(wrong.status == 401 && wrong.text == unknown.text)
        // The name is found in upper and lower case.
        let right = await bench.nobody.ask("POST", "session", body(["name": "ADA", "password": Bench.password]))
        #expect(right.status == 201)
        let cookie = try #require(right.headers["set-cookie"])
        for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(part)) }
        let ada = Client(bench, cookie: right.session)
        #expect(await ada.get("me").object["name"] as? String == "Ada")
        #expect(await ada.ask("DELETE", "session").status == 204)
        #expect(await ada.get("me").status == 401)
    }

    @Test func `over TLS the cookie is for this host only`() async throws {
        let bench = try await Bench(settings: WebSettings(product: .poolsensors, hosts: ["pool.test"], isSecure: true))
        let user = try await bench.accounts.users.add(
            name: "Ada", Bench.hash.get(), role: .owner, grants: [], at: SampleHub.now)
        let answer = await bench.nobody.ask(
            "POST", "session", body(["name": user.name, "password": Bench.password]),
            headers: ["origin": "https://pool.test"])
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(cookie.hasPrefix("__Host-poolsensors=") && cookie.hasSuffix("; Secure"))
        #expect(answer.headers["strict-transport-security"] != nil)
    }

    @Test func `V16 the sixth attempt within a minute must wait, and longer each time`() async throws {
        let clock = ManualClock()
        let limiter = RateLimiter(limit: 5, doubles: true, now: { clock.now })
        for _ in 0..<5 { #expect(limiter.count("ada") == nil) }
        var waits: [Int] = []
        for _ in 0..<8 {
            let wait = try #require(limiter.count("ada"))
            waits.append(wait)
            #expect(limiter.count("ben") == nil)
            clock.pass(.seconds(wait))
            for _ in 0..<5 { _ = limiter.count("ada") }
        }
        #expect(waits == [31, 61, 121, 241, 481, 901, 901, 901])
    }

    @Test func `a flood of names does not fill the memory`() {
        let limiter = RateLimiter(limit: 5, doubles: true)
        for number in 0..<3 * RateLimiter.keyCountMax { _ = limiter.count("\(number)") }
        #expect(limiter.keyCount <= RateLimiter.keyCountMax)
    }

    @Test func `of many passwords two are checked at a time, eight wait, the others are turned away`() async throws {
        let gate = HashingGate()
        let (open, source) = AsyncStream<Void>.makeStream()
        let running = Recorder<Int>()
        let results = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
            for number in 0..<HashingGate.runningMax + HashingGate.waitingMax {
                group.addTask {
                    do {
                        try await gate.perform(for: "\(number)", isKnown: false) {
                            running.record(number)
                            // Held until all have come.
                            let wait = HeldThread()
                            Task {
                                for await _ in open {}
                                wait.signal()
                            }
                            wait.wait()
                        }
                        return true
                    } catch {
                        return false
                    }
                }
            }
            do {
                try await poll("the gate is full") { await gate.isFull }
            } catch {
                Issue.record("the gate was never full")
            }
            #expect(running.items.count <= HashingGate.runningMax)
            let refused = await #expect(throws: Problem.self) {
                try await gate.perform(for: "other", isKnown: false) {}
            }
            #expect(refused?.kind == .tooMany)
            source.finish()
            var all: [Bool] = []
            for await result in group { all.append(result) }
            return all
        }
        #expect(results == Array(repeating: true, count: HashingGate.runningMax + HashingGate.waitingMax))
    }

    @Test func `V16 all sessions end when the password changes, and only then the new one begins`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let other = Client(
            bench,
            cookie: try await bench.accounts.sessions.begin(of: ada.id, agent: "phone", at: SampleHub.now).session)
        let refused = await ada.ask("POST", "me/password", body(["current": "wrong wrong", "new": "another plover 9"]))
        #expect(refused.status == 422)
        let changed = await ada.ask(
            "POST", "me/password", body(["current": Bench.password, "new": "another plover 9"]))
        #expect(changed.status == 200)
        #expect(await ada.get("me").status == 401)
        #expect(await other.get("me").status == 401)
        #expect(await Client(bench, cookie: changed.session).get("me").status == 200)
    }

    @Test func `a session ends thirty days after its last use, and sensitive actions ask again after twelve hours`()
        async throws
    {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let invite = #"{"name":"Kitchen"}"#
        bench.pass(seconds: 12 * 3600)
        let refused = await ada.ask("POST", "watches/invitations", invite)
        #expect(refused.status == 403 && refused.problem == "confirm-password")
        #expect(await ada.ask("POST", "session/confirmation", body(["password": Bench.password])).status == 200)
        #expect(await ada.ask("POST", "watches/invitations", invite).problem != "confirm-password")
        bench.pass(seconds: 29 * 86_400)
        #expect(await ada.get("me").status == 200)
        bench.pass(seconds: 29 * 86_400)
        #expect(await ada.get("me").status == 200)
        bench.pass(seconds: 30 * 86_400)
        #expect(await ada.get("me").status == 401)
    }

    @Test(arguments: ["https://evil.test", "http://pool.test.evil", "null", ""])
    func `V16 a cookie on another site changes nothing`(_ origin: String) async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let answer = await ada.ask(
            "PATCH", "pools/\(SampleHub.garden)", #"{"name":"Evil"}"#, headers: ["origin": origin, "if-match": "*"])
        #expect(answer.status == 403 && answer.problem == "wrong-origin")
        #expect(bench.hub.commands.isEmpty)
    }

    @Test func `a form of another type than JSON is refused`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let answer = await ada.ask(
            "PATCH", "pools/\(SampleHub.garden)", #"{"name":"Evil"}"#,
            headers: ["content-type": "text/plain", "if-match": "*"])
        #expect(answer.status == 415)
    }

    @Test(arguments: ["evil.test", "127.0.0.1", "pool.test:81", "pool.test.evil"])
    func `a name that was bound to this address by somebody else is refused`(_ host: String) async throws {
        let bench = try await Bench()
        let answer = await bench.nobody.ask("GET", "/", headers: ["host": host])
        #expect(answer.status == 421)
    }

    @Test func `a token needs no cookie, and is refused with one`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let made = await ada.ask("POST", "tokens", #"{"name":"grafana","scopes":["read"]}"#)
        let secret = try #require(made.object["secret"] as? String)
        let script = Client(bench, token: secret)
        #expect(await script.ask("GET", "pools", headers: ["origin": ""]).list.count == 2)
        let both = Client(bench, cookie: ada.cookie, token: secret)
        #expect(await both.get("pools").status == 400)
        let id = try #require((made.object["token"] as? [String: Any])?["id"] as? String)
        #expect(await ada.ask("DELETE", "tokens/\(id)").status == 204)
        #expect(await script.get("pools").status == 401)
    }

    @Test func `every answer forbids scripts of others, frames and copies`() async throws {
        let bench = try await Bench()
        for target in ["/", "pools", "/nothing"] {
            let headers = await bench.nobody.get(target).headers
            let policy = try #require(headers["content-security-policy"])
            #expect(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"))
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["referrer-policy"] == "no-referrer")
            #expect(headers["cache-control"] == (target == "/" ? "no-cache" : "no-store"))
        }
    }

    @Test func `a guest of a link may ask less often than an account, and other guests of the link do not notice`()
        async throws
    {
        let bench = try await Bench()
        let (guest, _) = try await bench.guestByLink()
        var last = 0
        for _ in 0..<61 { last = await guest.get("me").status }
        #expect(last == 429)
        #expect(await guest.get("me").headers["retry-after"] != nil)
        let opened = await bench.nobody.ask("POST", "session", body(["share": bench.links.items[0]]))
        #expect(await Client(bench, cookie: opened.session).get("me").status == 200)
    }

    @Test func `a client that guesses tokens is turned away, and others are not`() async throws {
        var settings = WebSettings(product: .poolsensors, hosts: ["pool.test"])
        settings.requestsPerMinute = 5
        let bench = try await Bench(settings: settings)
        let ada = try await bench.user("Ada", .owner)
        var statuses: [Int] = []
        for number in 0..<7 { statuses.append(await Client(bench, token: "psw_\(number)").get("pools").status) }
        #expect(statuses == [401, 401, 401, 401, 401, 429, 429])
        #expect(await ada.get("me").status == 200)
    }

    @Test func `a request with a token and a cookie is refused, and so is an unknown scheme`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let made = await ada.ask("POST", "tokens", #"{"name":"script","scopes":["read"]}"#)
        let secret = try #require(made.object["secret"] as? String)
        #expect(await ada.ask("GET", "me", headers: ["authorization": "Bearer \(secret)"]).status == 400)
        #expect(await bench.nobody.ask("GET", "me", headers: ["authorization": "Basic \(secret)"]).status == 401)
        #expect(await bench.nobody.ask("GET", "me", headers: ["authorization": "bearer \(secret)"]).status == 200)
    }
}
