import CommandSupport
import Foundation
import ImtModel
import ProgramFixture
import TestSupport
import Testing

/// The program, as processes with disks.
@Suite(.timeLimit(.minutes(20))) struct ImtProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func imt(_ arguments: String..., fails: Bool = false) async throws -> [String] {
        let state = arguments[0] == "face" || arguments[0] == "demo" ? [] : ["--state", folder.path("s")]
        let (end, lines) = try await Program.run(arguments + state, in: folder, program: Program.imt)
        #expect((end == .exited(0)) != fails, "\(arguments): \(lines)")
        return lines
    }

    private func start(_ arguments: String...) throws -> Program {
        try Program(arguments + ["--state", folder.path("s")], in: folder, program: Program.imt)
    }

    private func startPhone() async throws -> Program {
        let port = try LocalTools.freePorts(1)[0]
        let phone = try start("phone", "--page", "127.0.0.1:\(port)")
        _ = try await phone.line(containing: "phone is ready")
        return phone
    }

    private func pictures(_ numbers: Range<UInt64>) throws -> [String] {
        try numbers.map { number in
            let path = folder.path("face-\(number).jpg")
            let bytes = try GeneratedFace(seed: number, progress: 0).jpeg(PictureSize(width: 90, height: 110))
            try Data(bytes).write(to: URL(filePath: path))
            return path
        }
    }

    @Test func `IMT1 the demo shows a pair on the wrist, refuses the other watch, and recalls`() async throws {
        let lines = try await imt("demo", "--for", "0s")
        let fades = lines.filter { $0.hasPrefix("Left: fade ") }.map { $0.split(separator: " ")[3] }
        #expect(fades.count == 3 && Set(fades).count == 3, "\(lines)")
        #expect(lines.contains("Right: notice: this watch needs imt.photo: give it on the phone"))
        #expect(!lines.contains { $0.hasPrefix("Right: pair") || $0.hasPrefix("Right: photos") })
        #expect(lines.contains("Left: notice: the phone recalled a photo"))
        #expect(lines.contains("Photos sent: 2, recalled: 2."))
        #expect(lines.contains { $0.contains("The page is at http://127.0.0.1:") })
    }

    @Test func `nothing that was acknowledged is lost while the phone is killed, and no file is left over`()
        async throws
    {
        let kills = Int(ProcessInfo.processInfo.environment["IMT_KILLS"] ?? "") ?? 3
        try await imt("add", "Ada")
        var taken: [String] = []
        for round in 0..<kills {
            let phone = try await startPhone()
            try await imt("transformation", "Ada", "T\(round)")
            let files = try pictures(UInt64(round * 10)..<UInt64(round * 10 + 2))
            try await imt("import", "Ada", "T\(round)", "before", files[0])
            taken.append("T\(round)")
            // The second one is at work when the kill comes: before its first file, or when it has some.
            let present = try names(in: folder.path("s/phone/photos")).count
            let second = try start("import", "Ada", "T\(round)", "after", files[1])
            try await poll("the import is so far") {
                try names(in: folder.path("s/phone/photos")).count >= present + round % 3 || !second.lines.isEmpty
            }
            phone.signal(SIGKILL)
            _ = await phone.ended()
            _ = await second.ended()
            if second.lines.contains(where: { $0.hasPrefix("took ") }) { taken.append("T\(round) after") }
        }
        try await imt("consent", "Ada", "clinical", "yes")
        try await imt("export", "Ada", folder.path("out"))
        let photos = try names(in: folder.path("out/photos"))
        #expect(photos.count { $0.contains("before") } == kills)
        #expect(photos.count >= taken.count, "\(photos) \(taken)")
        // Each photo is a sealed file and its thumb.
        #expect(try names(in: folder.path("s/phone/photos")).count == photos.count * 2)
    }

    @Test func `a pair reaches the watch once and whole while both sides are killed`() async throws {
        let kills = Int(ProcessInfo.processInfo.environment["IMT_KILLS"] ?? "") ?? 3
        try await imt("add", "Ada")
        try await imt("transformation", "Ada", "Skin")
        let files = try pictures(1..<3)
        try await imt("import", "Ada", "Skin", "before", files[0])
        try await imt("import", "Ada", "Skin", "after", files[1])
        try await imt("consent", "Ada", "clinical", "yes")
        var phone = try await startPhone()
        var watch = try wristProcess()
        try await imt2(watch, "phone near")
        try await imt("watches", "--grant", "Left", "imt.photo")
        for round in 0..<kills {
            watch.type("open 1")
            try await imt2(watch, "Ada: Skin ✓")
            watch.type("show 1")
            let beginnings = [[], ["photos: ", "pair: "], ["notice: ", "pair: "]][round % 3]
            try await poll("the watch is so far") { watch.has(anyOf: beginnings) }
            if round.isMultiple(of: 2) {
                phone.signal(SIGKILL)
                _ = await phone.ended()
                phone = try await startPhone()
            } else {
                watch.kill()
                watch = try wristProcess()
            }
            try await poll("the watch reaches the phone") {
                watch.last(of: ["phone near", "phone out of reach"]) == "phone near"
            }
        }
        var asked = 0
        try await poll("the pair is there") {
            // Asked again when the last question is answered, since a kill may have taken its answer.
            if watch.lines.count(where: { $0 == "done: show 1" || $0.hasPrefix("there is no such") }) >= asked {
                watch.type("open 1")
                watch.type("show 1")
                asked += 1
            }
            return watch.lines.contains { $0.hasPrefix("pair: ") }
        }
        watch.type("fade 0")
        try await poll("the photo before") { watch.lines.contains { $0.hasPrefix("fade 0: ") } }
        #expect(try names(in: folder.path("s/watches/Left/album")).count { $0.hasSuffix(".sealed") } == 2)
        #expect(try names(in: folder.path("s/phone/photos")).count == 6, "each copy is made once")
        watch.kill()
        phone.signal(SIGTERM)
        #expect(await phone.ended() == .exited(0))
    }

    private func wristProcess() throws -> TypedProcess {
        try TypedProcess(Program.imt, ["watch", "--name", "Left", "--plain", "--state", folder.path("s")])
    }

    private func imt2(_ process: TypedProcess, _ line: String) async throws {
        try await poll(line) { process.lines.contains(line) }
    }

    @Test func `IMT35 a name that is erased is nowhere in the phone's folder, whether the phone runs or not`()
        async throws
    {
        func isAnywhere(_ name: String) -> Bool {
            let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path("s/phone"))) ?? []
            return files.contains { contents(folder.path("s/phone/\($0)"))?.range(of: Data(name.utf8)) != nil }
        }
        for name in ["Zebedee", "Florence", "Dougal"] { try await imt("add", name) }
        let phone = try await startPhone()
        let watch = try wristProcess()
        try await poll("the watch has the list") { watch.lines.contains { $0.contains("Zebedee") } }
        try await imt("erase", "Zebedee", "--yes")
        #expect(!isAnywhere("Zebedee") && isAnywhere("Florence"))
        watch.kill()
        phone.signal(SIGTERM)
        _ = await phone.ended()
        try await imt("erase", "Florence", "--yes")
        #expect(!isAnywhere("Florence") && isAnywhere("Dougal"))
    }

    @Test func `a picture of 64 megapixels and 16 MiB takes at most 150 MB of the phone`() async throws {
        try await imt("add", "Ada")
        try await imt("transformation", "Ada", "Large")
        let large = folder.path("large.jpg")
        let raster = Raster(size: PictureSize(width: 8000, height: 8000), gray: 120)
        let bytes = try JPEGCodec.encode(raster, quality: 80)
        let padding = [UInt8](repeating: 7, count: JPEGScan.byteCountMax - bytes.count)
        try Data(bytes + padding).write(to: URL(filePath: large))
        let port = try LocalTools.freePorts(1)[0]
        let phone = try start("phone", "--page", "127.0.0.1:\(port)")
        _ = try await phone.line(containing: "phone is ready")
        let said = try await imt("import", "Ada", "Large", "before", large)
        #expect(said.contains { $0.contains("8000×8000") })
        #expect(try peakMegabytes(of: "imt\u{0}phone", in: folder.path("s")) <= 150)
        // A turned one is decoded as large as it is kept.
        try await imt("transformation", "Ada", "Turned")
        let turned = Array(bytes.prefix(2)) + Self.orientation6 + bytes.dropFirst(2)
        try Data(turned).write(to: URL(filePath: large))
        #expect(try await imt("import", "Ada", "Turned", "before", large).contains { $0.contains("3000×3000") })
        #expect(try peakMegabytes(of: "imt\u{0}phone", in: folder.path("s")) <= 150)
        phone.signal(SIGTERM)
        _ = await phone.ended()
    }

    /// An Exif segment with orientation 6 alone.
    private static let orientation6: [UInt8] =
        [0xFF, 0xE1, 0, 34] + Array("Exif\0\0".utf8) + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
        + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0] + [0, 0, 0, 0]

    /// The most memory that a phone with this folder had, from proc(5).
    private func peakMegabytes(of command: String, in state: String) throws -> Int {
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(name) != nil {
            let line = contents("/proc/\(name)/cmdline").map { String(decoding: $0, as: UTF8.self) } ?? ""
            guard line.contains(command), line.contains(state) else { continue }
            let status = contents("/proc/\(name)/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
            let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return (peak?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1000
        }
        Issue.record("there is no phone")
        return 0
    }

    @Test func `bad words and bad pictures are told with their value and the way out, and nothing stays`() async throws
    {
        try await imt("add", "Ada", "O'Brien")
        try await imt("add", "محمد")
        try await imt("transformation", "Ada", "Skin")
        let text = folder.path("no.jpg")
        try Data("\u{89}PNG".unicodeScalars.map { UInt8($0.value) }).write(to: URL(filePath: text))
        let table: [([String], String)] = [
            (["add", "  "], "the first name is blank"),
            (["add", String(repeating: "😀", count: 200)], "has 200 characters in 800 bytes"),
            (["add", "Eva", "--birth", "2099-01-01"], "in the future"),
            (["import", "Ada", "Skin", "before", folder.path("none.jpg")], "cannot be read: name a JPEG that exists"),
            (["import", "Ada", "Skin", "before", text], "this is a PNG file"),
            (["import", "Ada", "Skin", "after", try pictures(1..<2)[0]], "take that one first"),
            (["import", "Ada", "Nose", "before", text], "0 transformations of this patient are called"),
            (["import", "Nobodyknown", "Nose", "before", text], "there is no patient"),
            (["export", "Ada", folder.path("e")], "no photo of this patient may be used"),
            (["erase", "Ada"], "add --yes"), (["pair"], "start it with `imt phone`"),
            (["phone", "--page", "0.0.0.0:8443"], "make a certificate"),
            (["watch", "--name", "../x"], "without / and not beginning with a dot"),
            (["watches", "--grant", "Left", "imt.all"], "is no grant: give imt.list, imt.photo, imt.edit"),
            (["consent", "Ada", "clinical", "perhaps"], "give yes, no or unasked"),
            (["restore", folder.path("nowhere")], "is no backup of imt"),
            (["account", "add", "Lee", "--role", "member"], "--right is missing: name each right that Lee is to have"),
            (["phone", "--listen", "foo", "--page", "127.0.0.1:0"], "--listen cannot be \"foo\""),
            (["watch", "--code", "foo", "--plain"], "--code cannot be"),
        ]
        for (arguments, words) in table {
            let (end, lines) = try await Program.run(
                arguments + ["--state", folder.path("s")], in: folder, program: Program.imt)
            #expect(end != .exited(0), "\(arguments)")
            #expect(lines.joined(separator: " ").contains(words), "\(arguments): \(lines)")
        }
        #expect(try names(in: folder.path("s/phone/photos")).isEmpty)
        #expect(try await imt("list", "o'br").contains { $0.contains("Ada O'Brien") })
        #expect(try await imt("list", "محم").contains { $0.contains("محمد") })
    }
}

/// A process that takes lines and says lines.
private final class TypedProcess: Sendable {
    private let said = Recorder<String>()
    private let process = Process()
    private let input: FileHandle

    init(_ program: String, _ arguments: [String]) throws {
        _ = signal(SIGPIPE, SIG_IGN)
        let (typed, words) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = typed
        process.standardOutput = words
        input = typed.fileHandleForWriting
        try process.run()
        let reading = words.fileHandleForReading
        Thread.detachNewThread { [said] in
            var rest = Data()
            reading.readPieces { bytes in
                rest += bytes
                while let end = rest.firstIndex(of: 10) {
                    said.record(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
        }
    }

    var lines: [String] { said.items }

    /// Whether a line has one of these beginnings; true if there are none.
    func has(anyOf beginnings: [String]) -> Bool {
        beginnings.isEmpty || lines.contains { line in beginnings.contains { line.hasPrefix($0) } }
    }

    func last(of words: Set<String>) -> String? { lines.last { words.contains($0) } }

    func type(_ line: String) {
        // Whether it could be written shows in what does not come.
        try? input.write(contentsOf: Data("\(line)\n".utf8))
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }
}
