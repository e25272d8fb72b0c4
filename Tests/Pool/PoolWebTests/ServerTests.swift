import CommandSupport
import Foundation
import Logging
import Platform
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

/// The server on real sockets, against clients that do what they should not.
@Suite struct ServerTests {
    /// A server on a port of its own, for the time of a test.
    private static func withServer(
        patience: Duration = .seconds(3600), logger: Logger = Logger(label: "test"),
        change: (inout WebSettings) -> Void = { _ in }, _ body: (Bench, Int) async throws -> Void
    ) async throws {
        let port = try LocalTools.freePorts(1)[0]
        var settings = WebSettings(product: .poolsensors, hosts: ["127.0.0.1:\(port)"])
        settings.patience = patience
        settings.headerPatience = patience
        change(&settings)
        let bench = try await Bench(settings: settings)
        let server = HTTPServer(bench.api, at: .init(host: "127.0.0.1", port: port), logger: logger)
        let ready = Recorder<Int>()
        let serving = Task { try await server.run { ready.record($0) } }
        let watching = Task {
            async let looking: Void = bench.accounts.run(interval: .milliseconds(5))
            await bench.watcher.run(interval: .milliseconds(5))
            await looking
        }
        await ready.wait { !$0.isEmpty }
        do {
            try await body(bench, port)
        } catch {
            serving.cancel()
            watching.cancel()
            throw error
        }
        serving.cancel()
        watching.cancel()
        _ = try? await serving.value
    }

    private func head(_ port: Int, _ target: String, cookie: String? = nil, _ more: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            + (cookie.map { "Cookie: poolsensors=\($0)\r\n" } ?? "") + more + "\r\n"
    }

    /// A client with a small window, which has read the beginning of its answer.
    ///
    /// A server of little patience closes connections that it had no time to read, so it is asked until it answers.
    private func answered(_ port: Int, _ request: String) async throws -> RawClient {
        var answered: RawClient?
        try await poll("the server answers") {
            let client = try RawClient(port: port, receiveByteCount: 1024)
            client.send(request)
            answered = client
            return try await client.read { $0.contains("\r\n\r\n") }.hasPrefix("HTTP/1.1 200")
        }
        return try #require(answered)
    }

    @Test func `the page and the API are served over HTTP`() async throws {
        try await Self.withServer { bench, port in
            let ada = try await bench.user("Ada", .owner)
            let page = try await RawClient.ask(port, "GET", "/")
            #expect(page.status == 200 && page.body.hasPrefix("<!doctype html>"))
            let tag = try #require(page.headers["etag"])
            let again = try await RawClient.ask(port, "GET", "/s/0123", headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty)
            let pools = try await RawClient.ask(
                port, "GET", "/api/v1/pools", headers: ["Cookie": "poolsensors=\(ada.cookie ?? "")"])
            #expect(pools.status == 200 && pools.body.contains("Garden"))
            let made = try await RawClient.ask(
                port, "POST", "/api/v1/session", headers: ["Origin": "http://127.0.0.1:\(port)"],
                body: #"{"name":"Ada","password":"\#(Bench.password)"}"#)
            #expect(made.status == 201)
        }
    }

    @Test func `a stream says what changes as it happens`() async throws {
        try await Self.withServer { bench, port in
            let ada = try await bench.user("Ada", .owner)
            let client = try RawClient(port: port)
            client.send(head(port, "/api/v1/events", cookie: ada.cookie, "Last-Event-ID: 4711\r\n"))
            let first = try await client.read { $0.contains("event: link") }
            #expect(first.contains("text/event-stream") && first.contains("event: configuration"))
            bench.hub.change { $0.devices[1].readings = SampleHub.readings(of: SampleHub.lagoon, ph: 7.33) }
            #expect(try await client.read { $0.contains("7.33") }.contains("event: reading"))
        }
    }

    @Test func `nine pages of one browser that cannot share a stream have one each`() async throws {
        try await Self.withServer { bench, port in
            let ada = try await bench.user("Ada", .owner)
            let pages = try (0..<9).map { _ in try RawClient(port: port) }
            for page in pages {
                page.send(head(port, "/api/v1/events", cookie: ada.cookie))
                _ = try await page.read { $0.contains("event: link") }
            }
            #expect(bench.api.streams.count == 9)
            bench.hub.change { $0.devices[1].readings = SampleHub.readings(of: SampleHub.lagoon, ph: 7.33) }
            for page in pages { #expect(try await page.read { $0.contains("7.33") }.contains("7.33")) }
        }
    }

    @Test func `V11 the open stream of a link ends when the link is revoked, by another process as well`() async throws
    {
        try await Self.withServer { bench, port in
            let share = try await bench.accounts.shares.add(
                of: "\(SampleHub.garden)", by: "Ada", expires: SampleHub.now.advanced(byMilliseconds: 3_600_000),
                at: SampleHub.now)
            let session = try await bench.accounts.sessions.begin(share: share.secret, agent: "", at: SampleHub.now)
            let client = try RawClient(port: port)
            client.send(head(port, "/api/v1/events", cookie: session))
            _ = try await client.read { $0.contains("event: link") }
            // Another connection to the file, as the command line has one.
            let other = try AccountStore(path: bench.folder.path("web.sqlite"), product: .poolsensors)
            #expect(try await other.shares.remove(share.share.id))
            #expect(try await client.read { $0.hasSuffix("0\r\n\r\n") }.hasSuffix("0\r\n\r\n"))
            try await poll("the stream is counted back") { bench.api.streams.count == 0 }
        }
    }

    @Test func `a client that does not read is cut off, and nothing is kept for it`() async throws {
        try await Self.withServer(patience: .milliseconds(200)) { bench, port in
            let ada = try await bench.user("Ada", .owner)
            let client = try await answered(port, head(port, "/api/v1/events", cookie: ada.cookie))
            // Each name is longer than what the system keeps for the socket, so some write must wait.
            let name = String(repeating: "x", count: 200_000)
            var number = 0
            try await poll("the client is cut off") {
                number += 1
                let text = "\(number) \(name)"
                bench.hub.change { state in
                    state.devices[1].device.name = text
                    state.revision += 1
                }
                return bench.api.streams.count == 0
            }
            #expect(bench.watcher.listenerCount == 0)
            try await poll("the connection is closed") { !client.send("\r\n") }
        }
    }

    @Test func `a stream behind a body that never ends brings nobody down`() async throws {
        try await Self.withServer(patience: .milliseconds(200)) { bench, port in
            let ada = try await bench.user("Ada", .owner)
            do {
                let client = try RawClient(port: port)
                client.send(head(port, "/api/v1/events", cookie: ada.cookie, "Content-Length: 10\r\n") + "{")
                _ = try await client.read()
            }
            do {
                let client = try RawClient(port: port)
                client.send(head(port, "/api/v1/events", cookie: ada.cookie) + head(port, "/healthz"))
                _ = try await client.read { $0.contains("event: link") }
            }
            try await poll("the streams are gone") { bench.api.streams.count == 0 }
            // Such a server may lose patience with an honest client, too, when the machine is slow.
            try await poll("others are served") { try await RawClient.ask(port, "GET", "/healthz").status == 200 }
        }
    }

    @Test func `a client that has gone leaves nothing behind`() async throws {
        try await Self.withServer { bench, port in
            let ada = try await bench.user("Ada", .owner)
            do {
                let client = try RawClient(port: port)
                client.send(head(port, "/api/v1/events", cookie: ada.cookie))
                _ = try await client.read { $0.contains("event: link") }
                #expect(bench.api.streams.count == 1)
            }
            try await poll("the stream is gone") { bench.api.streams.count == 0 && bench.watcher.listenerCount == 0 }
        }
    }

    @Test func `a server that is stopped ends its open streams and logs nothing`() async throws {
        let messages = Recorder<String>()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(messages: messages) }
        try await Self.withServer(logger: logger) { bench, port in
            let ada = try await bench.user("Ada", .owner)
            let client = try RawClient(port: port)
            client.send(head(port, "/api/v1/events", cookie: ada.cookie))
            _ = try await client.read { $0.contains("event: link") }
        }
        #expect(messages.items.isEmpty)
    }

    @Test func `a request without a host is refused, and so is one with two hosts, in any order`() async throws {
        try await Self.withServer { _, port in
            let host = "Host: 127.0.0.1:\(port)\r\n"
            let other = "Host: evil.test\r\n"
            for (fields, word) in [
                ("", "no host"), (host + host, "more than one host"), (host + other, "more than one host"),
                (other + host, "more than one host"), (host + "hOST:\r\n", "more than one host"),
            ] {
                let client = try RawClient(port: port)
                client.send("GET / HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
                let answer = try await client.read()
                #expect(answer.hasPrefix("HTTP/1.1 400"), "\(fields)")
                #expect(answer.contains("the request has \(word): send one header Host"), "\(answer)")
            }
        }
    }

    @Test func `a flood of header fields is refused, and so is garbage behind a request`() async throws {
        try await Self.withServer { bench, port in
            let flood = try RawClient(port: port)
            flood.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n")
            for number in 0..<4000 { flood.send("X-\(number): \(String(repeating: "y", count: 60))\r\n") }
            flood.send("\r\n")
            #expect(try await flood.read().hasPrefix("HTTP/1.1 400"))
            let garbage = try RawClient(port: port)
            garbage.send(head(port, "/healthz") + "\u{0}\u{1}garbage\r\n\r\n" + head(port, "/healthz"))
            let answers = try await garbage.read()
            #expect(answers.components(separatedBy: "HTTP/1.1 200").count == 2)
            #expect(answers.contains("HTTP/1.1 400"))
            #expect(try await RawClient.ask(port, "GET", "/healthz").status == 200)
            _ = bench
        }
    }

    @Test func `HEAD gets the header only, and the next answer is in its place`() async throws {
        try await Self.withServer { bench, port in
            let ada = try await bench.user("Ada", .owner)
            let client = try RawClient(port: port)
            for target in ["/", "/api/v1/nothing", "/api/v1/pools", "/api/v1/events"] {
                client.send(head(port, target, cookie: ada.cookie).replacingOccurrences(of: "GET", with: "HEAD"))
            }
            client.send(head(port, "/healthz", "Connection: close\r\n"))
            let text = try await client.read()
            let parts = text.components(separatedBy: "\r\n\r\n")
            #expect(
                parts.dropLast().map { $0.prefix(12) } == ["200", "404", "200", "200", "200"].map { "HTTP/1.1 \($0)" })
            #expect(parts.last?.contains("isHubRunning") == true)
            try await poll("no stream is held") { bench.api.streams.count == 0 }
        }
    }

    @Test func `a long answer that nobody reads is cut off`() async throws {
        try await Self.withServer(patience: .milliseconds(200)) { bench, port in
            bench.hub.keep(
                (0..<5000).map { number in
                    HistoryRow(
                        device: String(repeating: "x", count: 1000), deviceID: SampleHub.lagoon,
                        sampledAt: SampleHub.now.advanced(byMilliseconds: -1000 * Int64(number)), timeQuality: .device,
                        receivedAt: SampleHub.now, ordinal: UInt64(9000 - number), raw: [.ph: 7], corrected: [.ph: 7])
                })
            let ada = try await bench.user("Ada", .owner)
            let target = "/api/v1/devices/\(SampleHub.lagoon)/readings?limit=5000"
            let client = try await answered(port, head(port, target, cookie: ada.cookie))
            try await poll("the connection is closed") { !client.send("\r\n") }
        }
    }

    @Test func `when an address has too many connections the oldest idle one makes room, and no stream does`()
        async throws
    {
        // However slow the machine is, no held connection is closed because it was idle.
        try await Self.withServer(patience: .seconds(3600), change: { $0.connectionsPerAddress = 4 }) { bench, port in
            let ada = try await bench.user("Ada", .owner)
            let stream = try RawClient(port: port)
            stream.send(head(port, "/api/v1/events", cookie: ada.cookie))
            _ = try await stream.read { $0.contains("event: link") }
            let held = try (0..<3).map { _ in try RawClient(port: port) }
            for client in held { client.send(head(port, "/healthz")) }
            // An answer that was read may not be over for the server.
            try await poll("there is room") { try await RawClient.ask(port, "GET", "/healthz").status == 200 }
            bench.hub.change { $0.devices[1].readings = SampleHub.readings(of: SampleHub.lagoon, ph: 7.33) }
            #expect(try await stream.read { $0.contains("7.33") }.contains("event: reading"))
            withExtendedLifetime(held) {}
        }
    }

    @Test func `connections that send nothing, or half a request, keep nobody out, also behind a proxy`() async throws {
        try await Self.withServer(
            patience: .seconds(3600),
            change: {
                $0.connections = 8
                $0.isBehindProxy = true
            }
        ) { _, port in
            var held: [RawClient] = []
            for number in 0..<20 {
                let client = try RawClient(port: port)
                if number.isMultiple(of: 2) {
                    client.send("POST /api/v1/session HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")
                }
                held.append(client)
            }
            // The server may take the connections in another order than they were made.
            try await poll("somebody is answered") { try await RawClient.ask(port, "GET", "/healthz").status == 200 }
        }
    }

    @Test func `a connection whose first request does not come soon is closed`() async throws {
        try await Self.withServer(
            patience: .seconds(3600), change: { $0.headerPatience = .milliseconds(200) }
        ) { _, port in
            let slow = try RawClient(port: port)
            slow.send("GET /healthz HTTP/1.1\r\nX-Slow: ")
            #expect(try await slow.read().isEmpty)
        }
    }

    @Test func `a client that waits for the word to go on gets it, unless its body is too long`() async throws {
        try await Self.withServer { _, port in
            let client = try RawClient(port: port)
            let start =
                "POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\n"
                + "Content-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\n"
            client.send(start + "Content-Length: 2\r\n\r\n")
            #expect(try await client.read { $0.hasSuffix("\r\n\r\n") } == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send("{}")
            #expect(try await client.read().hasPrefix("HTTP/1.1 422"))
            let long = try RawClient(port: port)
            let length = HTTPServer.bodyByteCountMax + 1
            long.send(start + "Content-Length: \(length)\r\n\r\n" + String(repeating: "x", count: length))
            #expect(try await long.read().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func `a client of HTTP 1.0 needs no host, and its connection ends with the answer`() async throws {
        try await Self.withServer { bench, port in
            let client = try RawClient(port: port)
            client.send("GET /healthz HTTP/1.0\r\n\r\n")
            let answer = try await client.read()
            #expect(answer.hasPrefix("HTTP/1.0 200") && answer.contains("isUp"), "\(answer)")
            let ada = try await bench.user("Ada", .owner)
            let file = try RawClient(port: port)
            file.send(
                "GET /api/v1/devices/\(SampleHub.lagoon)/export.csv HTTP/1.0\r\nCookie: poolsensors=\(ada.cookie ?? "")\r\n\r\n"
            )
            let text = try await file.read()
            // Without chunks, which such a client does not know.
            #expect(text.hasSuffix("\r\n\r\nTimestamp,Device,Temperature,pH,Chlorine,ORP\r\n"), "\(text)")
        }
    }

    @Test func `a body that is too large is refused before it is read`() async throws {
        try await Self.withServer { _, port in
            let answer = try await RawClient.ask(
                port, "POST", "/api/v1/session", headers: ["Origin": "http://127.0.0.1:\(port)"],
                body: String(repeating: "x", count: HTTPServer.bodyByteCountMax + 1))
            #expect(answer.status == 413)
        }
    }

    @Test func `a client that sends slowly is not waited for`() async throws {
        try await Self.withServer(patience: .milliseconds(200)) { _, port in
            let slow = try RawClient(port: port)
            slow.send("POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 100\r\n\r\n{")
            // It returns, because the server closes the connection.
            let answer = try await slow.read()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400"))
            let silent = try RawClient(port: port)
            silent.send("GET / HT")
            #expect(try await silent.read().isEmpty)
        }
    }

    @Test func `V16 a flood of logins is turned away, and the page still answers`() async throws {
        try await Self.withServer { bench, port in
            try await bench.user("Ada", .owner)
            let statuses = try await withThrowingTaskGroup(of: Int.self, returning: [Int].self) { group in
                for number in 0..<30 {
                    group.addTask {
                        try await RawClient.ask(
                            port, "POST", "/api/v1/session", headers: ["Origin": "http://127.0.0.1:\(port)"],
                            body: #"{"name":"Eve\#(number)","password":"wrong wrong"}"#
                        ).status
                    }
                }
                var all: [Int] = []
                for try await status in group { all.append(status) }
                return all
            }
            #expect(Set(statuses).isSubset(of: [401, 429]))
            // Twenty attempts of an address, of which some found the queue full.
            #expect(statuses.count { $0 == 429 } >= 10)
            #expect(try await RawClient.ask(port, "GET", "/healthz").status == 200)
        }
    }

    @Test func `a certificate is for its hosts, and its files are for this user only`() async throws {
        let folder = try TemporaryFolder()
        let authority = LocalAuthority(stateFolder: folder.url.path, product: .poolsensors)
        let first = try authority.makeCertificate(for: ["pool.local", "192.168.1.20"])
        let served = try authority.served()
        #expect(served.hosts == ["pool.local", "192.168.1.20"])
        let days = served.end.milliseconds(since: .now) / 86_400_000
        #expect((LocalAuthority.days - 1...LocalAuthority.days).contains(Int(days)))
        #expect(served.warning(at: .now) == nil)
        let command = "`poolsensors web certificate --host pool.local --host 192.168.1.20`"
        let soon = served.warning(at: served.end.advanced(byMilliseconds: -30 * 86_400_000))
        #expect(soon?.contains("ends at \(served.end.iso8601)") == true && soon?.contains(command) == true)
        #expect(served.warning(at: served.end)?.contains("ended at") == true)
        // The authority stays, so that phones trust the next certificate, too.
        #expect(try authority.makeCertificate(for: ["pool.local"]) == first)
        #expect(first.split(separator: ":").count == 32)
        for (path, mode) in [
            (authority.folder, 0o700), (authority.keyPath, 0o600), (authority.certificatePath, 0o600),
            (authority.authorityPath, 0o600),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
        // Its authority signs for a house, and for what it was made with; phones are asked to install another one otherwise.
        let beyond = #expect(throws: CertificateError.self) { try authority.makeCertificate(for: ["bank.example"]) }
        #expect(beyond?.description.contains(authority.authorityPath) == true)
        #expect(throws: CertificateError.self) { try authority.makeCertificate(for: ["8.8.8.8"]) }
        _ = try authority.makeCertificate(for: ["fd00:0::1", "[fe80::2]", "10.1.2.3", "spa.home.arpa"])
        #expect(try authority.served().hosts == ["[fd00::1]", "[fe80::2]", "10.1.2.3", "spa.home.arpa"])
        let named = LocalAuthority(stateFolder: folder.path("named"), product: .poolsensors)
        _ = try named.makeCertificate(for: ["pool.example", "203.0.113.5"])
        _ = try named.makeCertificate(for: ["www.pool.example", "203.0.113.5", "pool.local"])
        #expect(throws: CertificateError.self) { try named.makeCertificate(for: ["pool.example.org"]) }
        #expect(throws: CertificateError.self) { try named.makeCertificate(for: ["203.0.113.6"]) }
        for host in ["", "-x", "a b", "pool..local", "*.local", "[::1", "1::2::3"] {
            #expect(throws: CertificateError.self, "\(host)") { try authority.makeCertificate(for: [host]) }
        }
        #expect(throws: CertificateError.self) {
            try LocalAuthority(stateFolder: folder.path("none"), product: .poolsensors).served()
        }
    }

    /// Runs openssl, and returns whether it succeeded, and what it printed.
    private static func openSSL(_ arguments: [String]) async throws -> (isRight: Bool, text: String) {
        try await runOnThread(stop: {}) {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["openssl"] + arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readEverything(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus == 0, text)
        }
    }

    @Test(arguments: [["pool.local"], ["192.168.1.20"], ["fd00::20"], ["192.168.1.20", "pool.local", "fe80::1"]])
    func `openssl takes a certificate for hosts of a house, also where it is strict`(_ hosts: [String]) async throws {
        let folder = try TemporaryFolder()
        let authority = LocalAuthority(stateFolder: folder.url.path, product: .poolsensors)
        _ = try authority.makeCertificate(for: hosts)
        let (isRight, text) = try await Self.openSSL([
            "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", authority.authorityPath,
            authority.certificatePath,
        ])
        #expect(isRight, "\(text)")
    }

    @Test(arguments: [
        ("DNS:spa.local", true), ("DNS:a.b.home.arpa", true), ("IP:10.1.2.3", true), ("IP:fd12::1", true),
        ("DNS:pool.example", true), ("DNS:bank.example", false), ("DNS:notlocal", false),
        ("DNS:pool.local.evil.example", false), ("DNS:*.com", false), ("IP:8.8.8.8", false), ("IP:172.32.0.1", false),
        ("IP:2001:db8::1", false),
    ]) func `who has the authority's key can sign for hosts of a house, and openssl refuses others`(
        _ name: String, _ isPermitted: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let authority = LocalAuthority(stateFolder: folder.url.path, product: .poolsensors)
        _ = try authority.makeCertificate(for: ["pool.example"])
        let (key, request, leaf) = (folder.path("key"), folder.path("request"), folder.path("leaf"))
        try Data("subjectAltName=\(name)\n".utf8).write(to: URL(filePath: folder.path("names")))
        let asked = try await Self.openSSL([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-subj", "/CN=x y",
            "-out", request,
        ])
        #expect(asked.isRight, "\(asked.text)")
        let signed = try await Self.openSSL([
            "x509", "-req", "-in", request, "-CA", authority.authorityPath, "-CAkey",
            "\(authority.folder)/authority.key",
            "-set_serial", "1", "-days", "2", "-extfile", folder.path("names"), "-out", leaf,
        ])
        #expect(signed.isRight, "\(signed.text)")
        let (isRight, text) = try await Self.openSSL(["verify", "-CAfile", authority.authorityPath, leaf])
        #expect(isRight == isPermitted && (isPermitted || text.contains("permitted subtree violation")), "\(text)")
    }

    @Test func `a plain request to the port with TLS is told where to go`() async throws {
        let folder = try TemporaryFolder()
        let authority = LocalAuthority(stateFolder: folder.url.path, product: .poolsensors)
        _ = try authority.makeCertificate(for: ["127.0.0.1"])
        let port = try LocalTools.freePorts(1)[0]
        let bench = try await Bench(
            settings: WebSettings(product: .poolsensors, hosts: ["127.0.0.1:\(port)"], isSecure: true))
        let server = try HTTPServer(
            bench.api, at: .init(host: "127.0.0.1", port: port), certificate: authority.certificatePath,
            key: authority.keyPath)
        let ready = Recorder<Int>()
        let serving = Task { try await server.run { ready.record($0) } }
        await ready.wait { !$0.isEmpty }
        let client = try RawClient(port: port)
        client.send("GET /s/0123?x=1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        let answer = try await client.read()
        #expect(
            answer.hasPrefix("HTTP/1.1 308") && answer.contains("Location: https://127.0.0.1:\(port)/s/0123?x=1\r\n"))
        let stranger = try RawClient(port: port)
        stranger.send("GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n")
        let refused = try await stranger.read()
        #expect(refused.hasPrefix("HTTP/1.1 400") && !refused.contains("Location"))
        #expect(refused.contains("This port speaks HTTPS only"))
        let poster = try RawClient(port: port)
        poster.send("POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 2\r\n\r\n{}")
        #expect(try await poster.read().hasPrefix("HTTP/1.1 400"))
        // No cipher encrypts without authenticating in one, such as those with CBC.
        let ciphers = [
            ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-AES128-SHA", false),
            ("ECDHE-ECDSA-AES256-SHA", false),
        ]
        for (cipher, isServed) in ciphers {
            let status = try await runOnThread(stop: {}) {
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/openssl")
                process.arguments = ["s_client", "-tls1_2", "-cipher", cipher, "-connect", "127.0.0.1:\(port)"]
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                process.waitUntilExit()
                return process.terminationStatus
            }
            #expect((status == 0) == isServed, "\(cipher)")
        }
        serving.cancel()
        _ = try? await serving.value
    }

    @Test func `the accounts are in a file for this user only`() throws {
        let folder = try TemporaryFolder()
        _ = try AccountStore(path: folder.path("web.sqlite"), product: .poolsensors)
        for name in ["web.sqlite", "web.sqlite-wal"] where FileManager.default.fileExists(atPath: folder.path(name)) {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }
}

/// Records what a server logs as a warning or worse.
private struct RecordingLogHandler: LogHandler {
    let messages: Recorder<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    init(messages: Recorder<String>) { self.messages = messages }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { messages.record("\(event.message)") }
}
