import Foundation
import TestSupport
import Testing

/// What becomes of a file's path after the call, and of the process, does not matter (rule R124).
@Suite(.timeLimit(.minutes(20)))
struct SourceFileProcessTests {
    private let world: AppWorld

    init() throws {
        world = try AppWorld()
    }

    /// Starts the sender again, and waits until the receiver has kept the file, byte for byte as it was.
    private func arrives(_ bytes: Data, from sender: String, at receiver: AppProcess) async throws {
        let app = try await sender == "phone" ? world.phone() : world.watch()
        try await app.ask("activate", "activated")
        let end = try await app.line { $0.hasPrefix("fileFinished source") }
        try #require(end.hasPrefix("fileFinished source none"))
        try await receiver.line("kept source")
        let kept = URL(filePath: world.path(of: "kept/source"))
        #expect(try Data(contentsOf: kept) == bytes)
        let originals = world.path(of: "\(sender)/companion-1/originals")
        #expect(try FileManager.default.contentsOfDirectory(atPath: originals).isEmpty)
    }

    private func bothKeepingFiles() async throws -> (phone: AppProcess, watch: AppProcess) {
        let (phone, watch) = try await world.both()
        try FileManager.default.createDirectory(atPath: world.path(of: "kept"), withIntermediateDirectories: false)
        for app in [phone, watch] {
            app.tell("keepFiles \(world.path(of: "kept"))")
            try await app.ask("state", "state")
        }
        return (phone, watch)
    }

    // Right after the call: the copying of the large one has hardly begun.
    @Test(arguments: [("remove", 24_000_000), ("replace", 24_000_000), ("remove", 1000), ("change", 1000)])
    func `a file that goes right after the call arrives though the process dies at once`(
        deed: String, byteCount: Int
    ) async throws {
        let (phone, watch) = try await bothKeepingFiles()
        let path = try world.file("source", byteCount: byteCount)
        let bytes = try Data(contentsOf: URL(filePath: path))
        watch.tell("fileAndDie \(deed) \(path)")
        try await watch.line("fileTaken")
        #expect(await watch.exit() == -SIGKILL)
        try await arrives(bytes, from: "watch", at: phone)
    }

    // As soon as the first bytes of the copy are on the disk.
    @Test func `a process that is killed while it copies has the file again, though its path is gone`() async throws {
        let (phone, watch) = try await bothKeepingFiles()
        let path = try world.file("source", byteCount: 24_000_000)
        let bytes = try Data(contentsOf: URL(filePath: path))
        // Without a receiver the copy stays where it is.
        await watch.kill()
        try await phone.ask("file \(path)", "fileTaken")
        try FileManager.default.removeItem(atPath: path)
        let copies = URL(filePath: world.path(of: "phone/companion-1/files/outgoing"))
        try await poll("a copy of the file") {
            try !FileManager.default.contentsOfDirectory(atPath: copies.path).isEmpty
        }
        await phone.kill()
        let again = try await world.watch()
        again.tell("keepFiles \(world.path(of: "kept"))")
        try await again.ask("activate", "activated")
        try await arrives(bytes, from: "phone", at: again)
    }

    @Test func `a file of another file system is copied when the call returns`() async throws {
        let (phone, watch) = try await bothKeepingFiles()
        let folder = "/dev/shm/source-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/source"
        let bytes = Data((0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try bytes.write(to: URL(filePath: path))
        phone.tell("fileAndDie remove \(path)")
        try await phone.line("fileTaken")
        #expect(await phone.exit() == -SIGKILL)
        try await arrives(bytes, from: "phone", at: watch)
    }

    // R122
    @Test func `a file that may not be read fails with 7013, but for the superuser, who may read all`() async throws {
        let (phone, _) = try await world.both()
        let path = try world.file("source", byteCount: 2_000_000)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        phone.tell("file \(path)")
        let end = try await phone.line { $0.hasPrefix("fileFinished source") }
        #expect(end.hasPrefix(geteuid() == 0 ? "fileFinished source none" : "fileFinished source 7013"))
    }
}
