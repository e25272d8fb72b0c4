import Platform
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// That nobody can keep out somebody else.
@Suite struct LoginLimitTests {
    private static func login(_ name: String, _ password: String) -> String {
        #"{"name":"\#(name)","password":"\#(password)"}"#
    }

    private static let right = login("Ada", Bench.password)
    private static let confirmation = #"{"password":"\#(Bench.password)"}"#

    @Test func `V16 whoever guesses at a name keeps out neither its owner elsewhere nor one who is logged in`()
        async throws
    {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let strangers = ["192.168.1.66", "192.168.1.67"].map { Client(bench, address: $0) }
        for stranger in strangers {
            var statuses: [Int] = []
            for _ in 0..<7 {
                statuses.append(await stranger.ask("POST", "session", Self.login("ADA", "wrong wrong")).status)
            }
            #expect(statuses == [401, 401, 401, 401, 401, 429, 429])
        }
        // A browser on which nobody has logged in before, at another address.
        #expect(await Client(bench, address: "192.168.1.20").ask("POST", "session", Self.right).status == 201)
        // One on which she has, at the very address of the stranger, behind the same proxy.
        let known = Client(bench, device: ada.device, address: strangers[0].address)
        #expect(await known.ask("POST", "session", Self.right).status == 201)
        // And a session, at that address.
        let inside = Client(bench, cookie: ada.cookie, address: strangers[0].address)
        #expect(await inside.ask("POST", "session/confirmation", Self.confirmation).status == 200)
        let change = #"{"current":"\#(Bench.password)","new":"another plover 9"}"#
        #expect(await inside.ask("POST", "me/password", change).status == 200)
    }

    @Test func `all ways to write a name are one name`() async throws {
        let bench = try await Bench()
        try await bench.user("Ada Byron", .owner)
        let stranger = Client(bench, address: "192.168.1.66")
        var statuses: [Int] = []
        for name in ["Ada Byron", "ADA BYRON", " Ada Byron", "Ada  Byron ", "Ada\u{A0}Byron", "a\u{200D}da byron"] {
            statuses.append(await stranger.ask("POST", "session", Self.login(name, "wrong wrong")).status)
        }
        #expect(statuses == [401, 401, 401, 401, 401, 429])
    }

    @Test func `a flood of addresses does not use up the requests of who is logged in`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        for number in 0..<10 {
            #expect(await Client(bench, address: "\(number)").get("me").status == 401)
            #expect(await Client(bench, token: "psw_\(number)", address: "\(number)").get("me").status == 401)
        }
        // A stranger takes no place in the count of accounts, so nobody with one is counted together with strangers.
        #expect(bench.api.requestsOfAccount.keyCount == 0)
        #expect(await ada.get("me").status == 200)
        #expect(bench.api.requestsOfAccount.keyCount == 1)
    }

    @Test func `attempts that are not looked at take no room`() {
        let limiter = RateLimiter(limit: 5, doubles: true)
        for number in 0..<1000 {
            _ = limiter.count("\(number)")
            limiter.forgive("\(number)")
        }
        #expect(limiter.keyCount == 0)
        // What is locked, or was, is remembered.
        for _ in 0..<6 { _ = limiter.count("ada") }
        for _ in 0..<6 { limiter.forgive("ada") }
        #expect(limiter.count("ada") != nil)
    }

    @Test func `a password that no account can have is no attempt`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let stranger = Client(bench, address: "192.168.1.66")
        for length in [257, 300, 5000] {
            for _ in 0..<10 {
                let answer = await stranger.ask(
                    "POST", "session", Self.login("Ada", String(repeating: "x", count: length)))
                #expect(answer.status == 422 && answer.object["member"] as? String == "password")
            }
        }
        let long = #"{"password":"\#(String(repeating: "x", count: 300))"}"#
        for _ in 0..<10 { #expect(await ada.ask("POST", "session/confirmation", long).status == 422) }
        #expect(await stranger.ask("POST", "session", Self.right).status == 201)
        #expect(await ada.ask("POST", "session/confirmation", Self.confirmation).status == 200)
    }

    @Test func `a known browser and a session have limits of their own`() async throws {
        let bench = try await Bench()
        let ada = try await bench.user("Ada", .owner)
        let known = Client(bench, device: ada.device)
        var statuses: [Int] = []
        for _ in 0..<6 { statuses.append(await known.ask("POST", "session", Self.login("Ada", "wrong wrong")).status) }
        #expect(statuses == [401, 401, 401, 401, 401, 429])
        statuses = []
        for _ in 0..<6 {
            statuses.append(await ada.ask("POST", "session/confirmation", #"{"password":"wrong wrong"}"#).status)
        }
        #expect(statuses == [422, 422, 422, 422, 422, 429])
        // The browser of somebody else is no known one.
        let ben = try await bench.user("Ben", .owner)
        let limits = LoginLimits()
        #expect(try await bench.accounts.devices.isKnown(ben.device ?? "", to: ada.id) == false)
        #expect(try await bench.accounts.devices.isKnown(ada.device ?? "", to: ada.id))
        for _ in 0..<60 { _ = try limits.logIn("Ada", from: "\(UInt32.random(in: 0 ... .max))", device: nil) }
        #expect(throws: Problem.self) { try limits.logIn("Ada", from: "other", device: nil) }
        #expect(throws: Never.self) { try limits.logIn("Ada", from: "other", device: "known") }
    }

    @Test func `a lock that is in force is not forgotten, however many keys come`() async throws {
        let clock = ManualClock()
        let limiter = RateLimiter(limit: 5, doubles: true, now: { clock.now })
        for _ in 0..<6 { _ = limiter.count("ada") }
        for number in 0..<3 * RateLimiter.keyCountMax {
            if number.isMultiple(of: 1000) { clock.pass(.milliseconds(100)) }
            _ = limiter.count("\(number)")
        }
        #expect(limiter.count("ada") != nil)
        #expect(limiter.keyCount <= RateLimiter.keyCountMax)
        clock.pass(.seconds(60))
        #expect(limiter.count("ada") == nil)
    }

    @Test func `one address has two places in the queue for passwords, and those who are known go first`() async throws
    {
        let gate = HashingGate()
        let (started, order) = (Recorder<String>(), Recorder<String>())
        let held = (0..<2).map { _ in HeldThread() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask {
                    try await gate.perform(for: "stranger", isKnown: false) {
                        started.record("stranger")
                        held[number].wait()
                    }
                }
            }
            await started.wait { $0.count == 2 }
            let refused = await #expect(throws: Problem.self) {
                try await gate.perform(for: "stranger", isKnown: false) {}
            }
            #expect(refused?.kind == .tooMany)
            for number in 0..<HashingGate.waitingMax {
                group.addTask {
                    try await gate.perform(for: "other \(number)", isKnown: false) { order.record("stranger") }
                }
            }
            try await poll("the places of strangers are taken") { await gate.isFull }
            group.addTask { try await gate.perform(for: "session", isKnown: true) { order.record("known") } }
            try await poll("the session waits") { await gate.waitingCount == HashingGate.waitingMax + 1 }
            // One place only is free from now on.
            held[0].signal()
            await order.wait { $0.count == HashingGate.waitingMax + 1 }
            held[1].signal()
            try await group.waitForAll()
        }
        #expect(order.items.first == "known")
    }

    @Test(arguments: [
        ("192.168.1.20", "192.168.1.20"), ("192.168.1.20:5123", "192.168.1.20"), ("[2001:db8::1]:443", "2001:db8::/64"),
        ("2001:db8:0:0:1:2:3:4", "2001:db8::/64"), ("2001:db8:0:1::4", "2001:db8:0:1::/64"),
        ("::ffff:192.168.1.20", "192.168.1.20"), (" \"[2001:db8::5]\" ", "2001:db8::/64"),
        // What a client claims stands before what the proxy adds.
        ("1.2.3.4, 192.168.1.20", "192.168.1.20"), ("192.168.1.20, 127.0.0.1", "192.168.1.20"),
        ("unknown", "127.0.0.1"), ("", "127.0.0.1"), ("1.2.3.4, garbage", "127.0.0.1"),
    ]) func `behind a proxy the last address that is not this machine counts, without its port`(
        _ forwarded: String, _ counted: String
    ) {
        #expect(ClientAddress.text(peer: "127.0.0.1", forwarded: forwarded, isBehindProxy: true) == counted)
        // Anybody can send the header.
        #expect(ClientAddress.text(peer: "10.0.0.7", forwarded: forwarded, isBehindProxy: true) == "10.0.0.7")
        #expect(ClientAddress.text(peer: "127.0.0.1", forwarded: forwarded, isBehindProxy: false) == "127.0.0.1")
    }

    @Test(arguments: [
        ("fd00:0:0:0:0:0:0:1", "fd00::1"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
        ("FE80::A:0:0:1", "fe80::a:0:0:1"),
        ("1:0:2:0:0:3:0:0", "1:0:2::3:0:0"), ("::ffff:1.2.3.4", "::ffff:102:304"), ("192.168.1.20", "192.168.1.20"),
    ]) func `an address is written as browsers write it`(_ text: String, _ written: String) {
        #expect(IPAddress(text)?.text == written)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "+1.2.3.4", "1::2::3", "1:2:3:4:5:6:7", ":::", "g::1", "12345::",
        "::1.2.3",
    ])
    func `what is no address is none`(_ text: String) { #expect(IPAddress(text) == nil) }
}
