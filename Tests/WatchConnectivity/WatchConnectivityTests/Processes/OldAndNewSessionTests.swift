import Foundation
import TestSupport
import Testing

/// Phones and watches of two builds with each other, and folders that the earlier one wrote in the hands of the present one.
///
/// `.ci/before` builds an earlier commit and runs this suite against it; otherwise the present build plays both. The earlier
/// build knows only the commands and events that its own `SessionProcess` knew.
@Suite(.serialized, .timeLimit(.minutes(20))) struct OldAndNewSessionTests {
    private static let fileByteCount = 24_000_000
    /// What else than a file may come and go in the folder of a device.
    private static let slack = 4_000_000

    private let world: AppWorld

    init() throws {
        world = try AppWorld()
        for folder in ["kept-phone", "kept-watch"] {
            try FileManager.default.createDirectory(
                atPath: world.path(of: folder), withIntermediateDirectories: false)
        }
    }

    /// Starts a device and activates it, so that it keeps the files that come.
    private func start(_ name: String, _ build: AppBuild) async throws -> AppProcess {
        let app = try await name == "phone" ? world.phone(build: build) : world.watch(build: build)
        app.tell("keepFiles \(world.path(of: "kept-\(name)"))")
        try await app.ask("activate", "activated")
        return app
    }

    /// Makes a file that no part of is like another one.
    private func makeFile(_ name: String) throws -> String {
        let random = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
        let bytes = try #require(try random.read(upToCount: Self.fileByteCount))
        try bytes.write(to: URL(filePath: world.path(of: name)))
        return world.path(of: name)
    }

    /// How many bytes a device and its app have on the disk, wherever they keep them.
    private func byteCount(of name: String) -> Int {
        var sum = 0
        // A file goes from the first folder to the second one, so that none is missed.
        for folder in [name, "kept-\(name)"] {
            let files = FileManager.default.enumerator(
                at: URL(filePath: world.path(of: folder)), includingPropertiesForKeys: [.fileSizeKey])
            while let file = files?.nextObject() as? URL {
                // A file that goes meanwhile counts nothing.
                sum += (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
            }
        }
        return sum
    }

    private struct CutFile {
        var name: String
        /// How many bytes the receiver has.
        var kept: Int
    }

    /// Sends files until one is cut, whose receiver is killed in the middle.
    ///
    /// A machine with little time for this process may bring a whole file before the kill.
    private func cutFile(
        from sender: AppProcess, to receiver: AppProcess, _ name: String, build: AppBuild
    ) async throws -> CutFile {
        var receiver = receiver
        var cut: CutFile?
        for number in 1...8 where cut == nil {
            let file = "file-\(number)"
            let path = try makeFile(file)
            let before = byteCount(of: name)
            try await sender.ask("file \(path) {\"part\":\(number)}", "fileTaken")
            try await poll("a part of \(file)") { byteCount(of: name) > before + Self.fileByteCount / 4 }
            await receiver.kill()
            let hasArrived = receiver.lines.contains { $0.hasPrefix("file \(file) ") }
            if !hasArrived {
                cut = CutFile(name: file, kept: byteCount(of: name))
            } else {
                receiver = try await start(name, build)
            }
        }
        return try #require(cut, "every file had arrived before its receiver was killed")
    }

    /// Waits until a cut file has arrived, from where it was and once, with its bytes.
    private func expectArrival(
        of file: CutFile, from sender: AppProcess, at receiver: AppProcess, _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var fewest = Int.max
        try await poll("the arrival of \(file.name)") {
            // A look may miss a file that gets another name meanwhile.
            fewest = min(fewest, max(byteCount(of: name), byteCount(of: name), byteCount(of: name)))
            return receiver.lines.contains("kept \(file.name)")
        }
        #expect(fewest > file.kept - Self.slack, "the file began anew", sourceLocation: sourceLocation)
        try await sender.line { $0.hasPrefix("fileFinished \(file.name) none") }
        try await receiver.ask("state", "state")
        let arrivals = receiver.lines.filter { $0.hasPrefix("file \(file.name) ") }
        let number = file.name.dropFirst("file-".count)
        #expect(
            arrivals == ["file \(file.name) \(Self.fileByteCount) {\"part\":\(number)}"],
            sourceLocation: sourceLocation)
        let (sent, kept) = (world.path(of: file.name), world.path(of: "kept-\(name)/\(file.name)"))
        #expect(FileManager.default.contentsEqual(atPath: sent, andPath: kept), sourceLocation: sourceLocation)
    }

    // MARK: - Together

    @Test(arguments: AppBuild.Pair.all)
    func `a phone and a watch of two builds exchange all that can be sent`(builds: AppBuild.Pair) async throws {
        let complication = ["WATCHCONNECTIVITY_DEVICE": "complication"]
        let (phone, watch) = try await world.both(watch: complication, builds: builds)
        let words = #"{"deep":{"list":[1,true,2.5,"ä"]},"n":1}"#
        for (sender, receiver) in [(phone, watch), (watch, phone)] {
            sender.tell("send \(words)")
            try await receiver.line("message \(words)")
            #expect(try await sender.ask("ask \(words)", "reply") == "reply {\"echo\":\(words)}")
            sender.tell("sendData first")
            try await receiver.line("data first")
            #expect(try await sender.ask("askData second", "replyData") == "replyData echo second")
            try await sender.ask("context \(words)", "contextTaken")
            try await receiver.line("context \(words)")
            for number in 0..<20 { sender.tell("info {\"n\":\(number)}") }
            for number in 0..<20 {
                try await receiver.line("info {\"n\":\(number)}")
                try await sender.line("infoFinished {\"n\":\(number)} none")
            }
            #expect(receiver.lines.filter { $0.hasPrefix("info ") } == (0..<20).map { "info {\"n\":\($0)}" })
            #expect(!sender.lines.contains { $0.hasPrefix("error") })
        }
        try await phone.state("\"complication\":true", "\"remaining\":50")
        try await phone.ask("complication {\"now\":1}", "infoTaken")
        try await watch.line("info {\"now\":1}")
        try await phone.line("infoFinished {\"now\":1} none")

        // Who comes back after a kill is the same as before.
        await watch.kill()
        try await phone.line("reachable false")
        for number in 20..<30 { try await phone.ask("info {\"n\":\(number)}", "infoTaken") }
        let again = try await world.watch("watch", complication, build: builds.watch)
        try await again.ask("activate", "activated")
        for number in 20..<30 { try await again.line("info {\"n\":\(number)}") }
        #expect(try await again.ask("received", "received") == "received \(words)")
        #expect(try await again.ask("sent", "sent") == "sent \(words)")
        await phone.kill()
        try await again.line("reachable false")
        try await again.ask("info {\"n\":30}", "infoTaken")
        let third = try await start("phone", builds.phone)
        try await third.line("info {\"n\":30}")
        try await again.line("infoFinished {\"n\":30} none")
    }

    @Test(arguments: AppBuild.Pair.all, ["phone", "watch"])
    func `a file between two builds goes on where it was cut, also after a kill on either side, and arrives once`(
        builds: AppBuild.Pair, sender: String
    ) async throws {
        let receiver = sender == "phone" ? "watch" : "phone"
        let build = ["phone": builds.phone, "watch": builds.watch]
        let (sending, receiving) = (build[sender] ?? .present, build[receiver] ?? .present)
        let first = try await (start(sender, sending), start(receiver, receiving))
        try await first.0.state("\"reachable\":true")

        let file = try await cutFile(from: first.0, to: first.1, receiver, build: receiving)
        await first.0.kill()
        let second = try await (start(receiver, receiving), start(sender, sending))

        try await expectArrival(of: file, from: second.1, at: second.0, receiver)
    }

    // MARK: - Folders

    @Test func `the present build opens the folders that the earlier one left, and delivers all that waits`()
        async throws
    {
        let phone = try await start("phone", .before)
        let watch = try await start("watch", .before)
        try await phone.state("\"reachable\":true")
        try await watch.state("\"reachable\":true")
        try await phone.ask("context {\"of\":\"phone\"}", "contextTaken")
        try await watch.line("context {\"of\":\"phone\"}")
        let file = try await cutFile(from: phone, to: watch, "watch", build: .before)
        for number in 0..<10 { try await phone.ask("info {\"n\":\(number)}", "infoTaken") }
        await phone.kill()
        let alone = try await start("watch", .before)
        for number in 10..<20 { try await alone.ask("info {\"n\":\(number)}", "infoTaken") }
        try await alone.ask("context {\"of\":\"watch\"}", "contextTaken")
        await alone.kill()

        let newPhone = try await start("phone", .present)
        #expect(try await newPhone.ask("sent", "sent") == "sent {\"of\":\"phone\"}")
        #expect(try await newPhone.ask("outstanding", "outstanding") == "outstanding 10")
        #expect(newPhone.lines.contains("waitingFile \(file.name)"))
        let newWatch = try await start("watch", .present)
        #expect(try await newWatch.ask("received", "received") == "received {\"of\":\"phone\"}")
        #expect(try await newWatch.ask("sent", "sent") == "sent {\"of\":\"watch\"}")
        for number in 0..<10 {
            try await newWatch.line("info {\"n\":\(number)}")
            try await newPhone.line("infoFinished {\"n\":\(number)} none")
        }
        for number in 10..<20 {
            try await newPhone.line("info {\"n\":\(number)}")
            try await newWatch.line("infoFinished {\"n\":\(number)} none")
        }
        try await newPhone.line("context {\"of\":\"watch\"}")
        try await expectArrival(of: file, from: newPhone, at: newWatch, "watch")
        for (app, numbers) in [(newPhone, 10..<20), (newWatch, 0..<10)] {
            #expect(app.lines.filter { $0.hasPrefix("info ") } == numbers.map { "info {\"n\":\($0)}" })
        }
    }
}
