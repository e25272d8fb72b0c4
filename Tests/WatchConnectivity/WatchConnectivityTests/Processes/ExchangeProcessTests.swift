import Foundation
import Testing

/// A phone and a watch as two processes: everything that can be sent, both ways.
@Suite(.timeLimit(.minutes(20)))
struct ExchangeProcessTests {
    private let world: AppWorld

    init() throws {
        world = try AppWorld()
    }

    @Test func `two processes that only share a folder find each other and are activated`() async throws {
        let (phone, watch) = try await world.both()
        try await phone.state("\"activation\":2", "\"paired\":true", "\"installed\":true", "\"directory\":true")
        try await watch.state("\"activation\":2", "\"companion\":true")
        #expect(await phone.end() == 0)
        #expect(await watch.end() == 0)
    }

    // R47, R50, R53, R55
    @Test func `messages arrive in order, with a reply where one is wanted`() async throws {
        let (phone, watch) = try await world.both()
        for (sender, receiver) in [(phone, watch), (watch, phone)] {
            for number in 0..<5 { sender.tell("send {\"n\":\(number)}") }
            sender.tell("ask {\"text\":\"ä\",\"list\":[1,true,2.5]}")
            try await sender.line("reply {\"echo\":{\"list\":[1,true,2.5],\"text\":\"ä\"}}")
            for number in 0..<5 { try await receiver.line("message {\"n\":\(number)}") }
            #expect(receiver.lines.filter { $0.hasPrefix("message") } == (0..<5).map { "message {\"n\":\($0)}" })
            #expect(!sender.lines.contains { $0.hasPrefix("error") })
        }
    }

    // R70
    @Test func `data obeys the rules of messages`() async throws {
        let (phone, watch) = try await world.both()
        for (sender, receiver) in [(phone, watch), (watch, phone)] {
            sender.tell("sendData first")
            sender.tell("askData second")
            try await sender.line("replyData echo second")
            try await receiver.line("data first")
            try await receiver.line("questionData second")
        }
    }

    // R60, R62, R144, R149
    @Test func `messages that fail tell why`() async throws {
        let short = ["WATCHCONNECTIVITY_BEHAVIOUR": "replyTimeout=300ms"]
        let (phone, watch) = try await world.both(phone: short, watch: short)
        watch.tell("silent on")
        try await watch.ask("state", "state")
        phone.tell("ask {}")
        try await phone.line("error 7012")
        phone.tell("send {\"a\":[null]}")
        try await phone.line("error 7010")
        phone.tell("send {\"long\":70000}")
        try await phone.line("error 7009")
    }

    // R73, R75, R76, R77, R81
    @Test func `contexts go both ways, each change of them once`() async throws {
        let (phone, watch) = try await world.both()
        for (sender, receiver) in [(phone, watch), (watch, phone)] {
            try await sender.ask("context {\"n\":1}", "contextTaken")
            try await receiver.line("context {\"n\":1}")
            try await sender.ask("context {\"n\":1}", "contextTaken")
            try await sender.ask("context {\"n\":2}", "contextTaken")
            try await receiver.line("context {\"n\":2}")
            #expect(receiver.lines.filter { $0.hasPrefix("context {") }.count == 2)
            #expect(try await receiver.ask("received", "received") == "received {\"n\":2}")
            #expect(try await sender.ask("sent", "sent") == "sent {\"n\":2}")
        }
    }

    // R89, R91, R93
    @Test func `user info arrives in order, once, and its sender is told`() async throws {
        let (phone, watch) = try await world.both()
        for (sender, receiver) in [(phone, watch), (watch, phone)] {
            for number in 0..<20 { sender.tell("info {\"n\":\(number)}") }
            for number in 0..<20 {
                try await receiver.line("info {\"n\":\(number)}")
                try await sender.line("infoFinished {\"n\":\(number)} none")
            }
            #expect(receiver.lines.filter { $0.hasPrefix("info ") } == (0..<20).map { "info {\"n\":\($0)}" })
            #expect(try await sender.ask("outstanding", "outstanding") == "outstanding 0")
        }
    }

    // R109, R111, R112, R114
    @Test func `complication user info goes with priority while the complication is on the face`() async throws {
        let (phone, watch) = try await world.both(watch: ["WATCHCONNECTIVITY_DEVICE": "complication"])
        try await phone.state("\"complication\":true", "\"remaining\":50")
        #expect(try await phone.ask("complication {\"n\":1}", "infoTaken") == "infoTaken true")
        try await watch.line("info {\"n\":1}")
        try await phone.line("infoFinished {\"n\":1} none")
        #expect(try await phone.ask("state", "state").contains("\"remaining\":49"))
    }

    // R90, R110, R111
    @Test func `of three complication user infos that wait the newest goes first, also after a kill`() async throws {
        let complication = ["WATCHCONNECTIVITY_DEVICE": "complication"]
        let (phone, watch) = try await world.both(watch: complication)
        try await phone.state("\"complication\":true", "\"remaining\":50")
        await watch.kill()
        try await phone.line("reachable false")
        for word in ["complication {\"n\":1}", "info {\"n\":2}", "complication {\"n\":3}"] {
            try await phone.ask(word, "infoTaken")
        }
        await phone.kill()
        let again = try await world.phone()
        try await again.ask("activate", "activated")
        for word in ["info {\"n\":4}", "complication {\"n\":5}"] { try await again.ask(word, "infoTaken") }
        let late = try await world.watch("watch", complication)
        try await late.ask("activate", "activated")
        for number in [5, 1, 2, 3, 4] { try await late.line("info {\"n\":\(number)}") }
        #expect(late.lines.filter { $0.hasPrefix("info ") } == [5, 1, 2, 3, 4].map { "info {\"n\":\($0)}" })
    }

    // R119, R121, R124, R125, R126, R128
    @Test func `files arrive whole, in order, with their names and metadata`() async throws {
        let (phone, watch) = try await world.both()
        for (sender, receiver, place) in [(phone, watch, "w"), (watch, phone, "p")] {
            let folder = world.path(of: place)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            receiver.tell("keepFiles \(folder)")
            let large = try world.file("large-\(place).bin", byteCount: 3_000_000)
            let small = try world.file("small-\(place).txt", byteCount: 10)
            try await sender.ask("file \(large) {\"a\":1}", "fileTaken")
            try await sender.ask("file \(small)", "fileTaken")
            // It was opened when it was queued.
            try FileManager.default.moveItem(atPath: small, toPath: small + ".gone")
            #expect(try await receiver.line { $0.hasPrefix("file ") } == "file large-\(place).bin 3000000 {\"a\":1}")
            #expect(try await receiver.line { $0.hasPrefix("file ") } == "file small-\(place).txt 10 nil")
            try await sender.line("fileFinished large-\(place).bin none 1.0")
            try await sender.line("fileFinished small-\(place).txt none 1.0")
            try await receiver.line("kept small-\(place).txt")
            #expect(FileManager.default.contentsEqual(atPath: large, andPath: folder + "/large-\(place).bin"))
        }
    }

    // R122, R123
    @Test func `what is no readable file fails with 7013`() async throws {
        let (phone, _) = try await world.both()
        phone.tell("file \(world.path(of: "missing"))")
        try await phone.line { $0.hasPrefix("fileFinished missing 7013") }
        phone.tell("file \(world.path)")
        try await phone.line { $0.hasPrefix("fileFinished") && $0.contains(" 7013") }
    }

    // R119
    @Test func `a file that the app does not move is gone when its call has returned`() async throws {
        let (phone, watch) = try await world.both()
        phone.tell("file \(try world.file("left", byteCount: 5))")
        try await watch.line("file left 5 nil")
        try await phone.line("fileFinished left none 1.0")
        watch.tell("ask {}")
        try await watch.line("reply {\"echo\":{}}")
        let names = FileManager.default.enumerator(atPath: world.path(of: "watch"))?.compactMap { $0 as? String } ?? []
        #expect(!names.contains { $0.hasSuffix("/left") })
    }

    // R31, R32
    @Test func `the directory for the watch goes with the app on it, and comes back empty`() async throws {
        let (first, watch) = try await world.both()
        #expect(try await first.ask("directory kept", "directory") == "directory kept")
        await first.kill()
        let phone = try await world.phone()
        try await phone.ask("activate", "activated")
        try await phone.state("\"directory\":true")
        #expect(try await phone.ask("directory", "directory") == "directory kept")
        watch.tell("install off")
        try await phone.state("\"installed\":false", "\"directory\":false")
        watch.tell("install on")
        try await phone.state("\"installed\":true", "\"directory\":true")
        #expect(try await phone.ask("directory", "directory") == "directory ")
    }
}
