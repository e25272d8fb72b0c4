import Foundation
import Testing
import ZeroMQ

/// Processes that stop, start, are killed and come back.
@Suite(.timeLimit(.minutes(20)))
struct LifeProcessTests {
    private let world: AppWorld

    init() throws {
        world = try AppWorld()
    }

    // R35, R36, R40, R42
    @Test func `the watch is reachable while its app is in front, the phone also when its app is not`() async throws {
        let (phone, watch) = try await world.both()
        watch.tell("app background")
        try await phone.line("reachable false")
        try await watch.line("reachable false")
        phone.tell("send {}")
        try await phone.line("error 7007")
        watch.tell("app foreground")
        try await phone.line("reachable true")
        phone.tell("app background")
        watch.tell("ask {\"n\":1}")
        try await watch.line("reply {\"echo\":{\"n\":1}}")
    }

    @Test func `signals change the state of the app where that is asked for`() async throws {
        let (phone, watch) = try await world.both(watch: ["WATCHCONNECTIVITY_DEVICE": "signals"])
        watch.send(SIGUSR1)
        try await phone.line("reachable false")
        watch.send(SIGUSR1)
        try await phone.line("reachable true")
        watch.send(SIGUSR2)
        try await phone.line("reachable false")
        phone.tell("info {\"n\":1}")
        try await phone.line("infoFinished {\"n\":1} none")
    }

    // R39
    @Test func `a message to a suspended phone app wakes it`() async throws {
        let (phone, watch) = try await world.both()
        phone.tell("app suspended")
        watch.tell("ask {\"n\":1}")
        try await watch.line("reply {\"echo\":{\"n\":1}}")
        try await phone.line("question {\"n\":1}")
    }

    // R57, R93: the end of a process is the end of its link, and the other side sees it at once.
    @Test func `a process that ends says goodbye`() async throws {
        let (phone, watch) = try await world.both()
        #expect(await watch.end() == 0)
        try await phone.line("reachable false")
        let again = try await world.watch()
        try await again.ask("activate", "activated")
        try await phone.line("reachable true")
        try await again.state("\"reachable\":true")
        #expect(await phone.end() == 0)
        try await again.line("reachable false")
    }

    // R72, R78, R80, R90, R93, R118, R156
    @Test func `what is queued for a watch that is away arrives when it comes back`() async throws {
        let (phone, watch) = try await world.both()
        await watch.kill()
        try await phone.line("reachable false")
        for number in 0..<10 { try await phone.ask("info {\"n\":\(number)}", "infoTaken") }
        for number in 0..<3 { try await phone.ask("context {\"n\":\(number)}", "contextTaken") }
        phone.tell("file \(try world.file("queued", byteCount: 100_000))")
        try await phone.line("fileTaken")
        let again = try await world.watch()
        try await again.ask("activate", "activated")
        for number in 0..<10 { try await again.line("info {\"n\":\(number)}") }
        try await again.line("context {\"n\":2}")
        try await again.line("file queued 100000 nil")
        #expect(again.lines.filter { $0.hasPrefix("context {") }.count == 1)
        for number in 0..<10 { try await phone.line("infoFinished {\"n\":\(number)} none") }
        try await phone.line { $0.hasPrefix("fileFinished queued none") }
    }

    // R90, R93, R95, R156: the sender dies right after the call that accepted.
    @Test(arguments: ["phone", "watch"])
    func `a sender that is killed loses nothing that was accepted`(sender: String) async throws {
        var (phone, watch) = try await world.both()
        let receiver = sender == "phone" ? watch : phone
        var app = sender == "phone" ? phone : watch
        var sent = 0
        for _ in 0..<3 {
            for _ in 0..<5 {
                app.tell("info {\"n\":\(sent)}")
                sent += 1
            }
            for _ in 0..<5 { try await app.line("infoTaken") }
            try await app.ask("context {\"n\":\(sent)}", "contextTaken")
            await app.kill()
            app = try await sender == "phone" ? world.phone() : world.watch()
            if sender == "phone" { phone = app } else { watch = app }
            try await app.ask("activate", "activated")
            #expect(try await app.ask("sent", "sent") == "sent {\"n\":\(sent)}")
        }
        for number in 0..<sent { try await receiver.line("info {\"n\":\(number)}") }
        try await receiver.line("context {\"n\":\(sent)}")
        #expect(receiver.lines.filter { $0.hasPrefix("info ") } == (0..<sent).map { "info {\"n\":\($0)}" })
        withExtendedLifetime((phone, watch)) {}
    }

    // R158: at least once around a crash, and in order.
    @Test func `a receiver that is killed within its delegate gets the user info again`() async throws {
        let (phone, watch) = try await world.both()
        watch.tell("crashOnInfo")
        try await watch.ask("state", "state")
        for number in 0..<5 { phone.tell("info {\"n\":\(number)}") }
        try await watch.line("info {\"n\":0}")
        #expect(await watch.exit() == -SIGKILL)
        let again = try await world.watch()
        try await again.ask("activate", "activated")
        for number in 0..<5 { try await again.line("info {\"n\":\(number)}") }
        #expect(again.lines.filter { $0.hasPrefix("info ") } == (0..<5).map { "info {\"n\":\($0)}" })
        for number in 0..<5 { try await phone.line("infoFinished {\"n\":\(number)} none") }
    }

    // R118, R126: a file goes on where it was.
    @Test func `a file survives that both processes are killed while it is on its way`() async throws {
        var (phone, watch) = try await world.both()
        let (firstPhone, firstWatch) = (phone, watch)
        let file = try world.file("large", byteCount: 24_000_000)
        try await phone.ask("file \(file) {\"a\":1}", "fileTaken")
        await watch.kill()
        watch = try await world.watch()
        await phone.kill()
        phone = try await world.phone()
        try await phone.ask("activate", "activated")
        try await watch.ask("activate", "activated")
        // Where this process got little time, the file may have come, or its end been told, before the kills.
        let arrival = "file large 24000000 {\"a\":1}"
        if !firstWatch.lines.contains(arrival) { try await watch.line(arrival) }
        let isEnd: @Sendable (String) -> Bool = { $0.hasPrefix("fileFinished large none") }
        if !firstPhone.lines.contains(where: isEnd) { try await phone.line(where: isEnd) }
    }

    // R14, R18, R35, R78, R134: what arrives before the activation waits for it, and a live message fails.
    @Test func `content that arrived before the activation is delivered after it`() async throws {
        let (phone, watch) = try await world.both()
        await watch.end()
        let again = try await world.watch()
        phone.tell("info {\"n\":1}")
        try await phone.line("infoFinished {\"n\":1} none")
        try await phone.state("\"installed\":true", "\"reachable\":false")
        #expect(try await phone.ask("ask {}", "error") == "error 7007")
        try await phone.ask("context {\"n\":2}", "contextTaken")
        #expect(again.lines == ["ready"])
        try await again.ask("activate", "activated")
        try await again.line("info {\"n\":1}")
        try await again.line("context {\"n\":2}")
        #expect(again.lines[1] == "activated 2 none")
        try await phone.line("reachable true")
    }

    @Test func `a phone whose port was taken meanwhile listens at another one, and its watch follows`() async throws {
        let (phone, watch) = try await world.both()
        await phone.kill()
        try await watch.line("reachable false")
        let last = try String(contentsOfFile: world.path(of: "phone/endpoint.secret"), encoding: .utf8)
        let blocker = try Socket(try Context(), .router)
        _ = try blocker.bind(try Endpoint(last))
        let again = try await world.phone()
        try await again.ask("activate", "activated")
        try await watch.line("reachable true")
        watch.tell("ask {}")
        try await watch.line("reply {\"echo\":{}}")
        #expect(try String(contentsOfFile: world.path(of: "phone/endpoint.secret"), encoding: .utf8) != last)
    }

    // A socket that was answered with something else than its handshake does not connect again by itself.
    @Test func `a watch that something else answered at its phone's port connects again`() async throws {
        let (phone, watch) = try await world.both()
        await phone.kill()
        await watch.kill()
        let last = try String(contentsOfFile: world.path(of: "phone/endpoint.secret"), encoding: .utf8)
        let stranger = try WrongAnswer(port: try #require(last.split(separator: ":").last.flatMap { UInt16($0) }))
        let later = try await world.watch()
        stranger.answer()
        let again = try await world.phone()
        try await again.ask("activate", "activated")
        try await later.ask("activate", "activated")
        try await later.state("\"reachable\":true")
    }

    // R88: the phone's app is told at its next launch.
    @Test func `a phone that starts later, at another port, is found again`() async throws {
        let (phone, watch) = try await world.both()
        await phone.kill()
        try await watch.line("reachable false")
        try await watch.ask("info {\"n\":1}", "infoTaken")
        let again = try await world.phone(["WATCHCONNECTIVITY_ENDPOINT": "tcp://127.0.0.1:*"])
        try await again.ask("activate", "activated")
        try await again.line("info {\"n\":1}")
        try await watch.line("infoFinished {\"n\":1} none")
    }
}
