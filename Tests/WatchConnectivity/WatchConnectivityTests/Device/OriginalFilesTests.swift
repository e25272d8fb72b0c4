import Foundation
import SyncCore
import SyncStore
import Testing

@testable import WatchConnectivity

/// The app's files between the call and their copy.
@Suite struct OriginalFilesTests {
    private let folder: DeviceFolder
    private let held: OriginalFiles

    init() throws {
        folder = try DeviceFolder()
        held = try OriginalFiles(path: folder.path + "/originals")
    }

    private func path(of name: String) -> String { folder.path + "/" + name }

    /// A file that is large enough to be held.
    private func large(_ path: String) throws -> Data {
        let bytes = Data((0..<1024).map { UInt8(truncatingIfNeeded: $0) }) + Data(count: 1_048_576)
        try bytes.write(to: URL(filePath: path))
        return bytes
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(of: "originals"))
    }

    // R124
    @Test func `a large file is there under a second name when its own is gone`() throws {
        let (id, path) = (RandomID.random(), path(of: "file"))
        let bytes = try large(path)
        #expect(held.hold(id, path: path))
        try FileManager.default.removeItem(atPath: path)
        try Data("another".utf8).write(to: URL(filePath: path))
        let name = try #require(held.path(of: id))
        #expect(try Data(contentsOf: URL(filePath: name)) == bytes)
        #expect(held.path(of: RandomID.random()) == nil)
        held.releaseOriginal(id)
        #expect(held.path(of: id) == nil)
        #expect(try names().isEmpty)
    }

    @Test func `a link to a file is followed, as it is when the file is opened`() throws {
        let id = RandomID.random()
        let bytes = try large(path(of: "file"))
        try FileManager.default.createSymbolicLink(
            atPath: path(of: "link"), withDestinationPath: path(of: "file"))
        #expect(held.hold(id, path: path(of: "link")))
        try FileManager.default.removeItem(atPath: path(of: "file"))
        #expect(try Data(contentsOf: URL(filePath: try #require(held.path(of: id)))) == bytes)
    }

    // What somebody writes into a file later is seen through its second name.
    @Test func `a small file is copied and not held, nor is one that is not there`() throws {
        try Data(count: 1_048_575).write(to: URL(filePath: path(of: "small")))
        for name in ["small", "missing"] { #expect(!held.hold(RandomID.random(), path: path(of: name))) }
        #expect(try names().isEmpty)
    }

    @Test func `a file of exactly a mebibyte is held`() throws {
        let id = RandomID.random()
        try Data(count: 1_048_576).write(to: URL(filePath: path(of: "file")))
        #expect(held.hold(id, path: path(of: "file")))
        #expect(try names() == [id.hexadecimal])
    }

    @Test func `a file of another file system is not held`() throws {
        let path = "/dev/shm/held-\(UUID().uuidString)"
        _ = try large(path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(!held.hold(RandomID.random(), path: path))
    }

    @Test func `a file is not held where the system refuses the second name`() throws {
        _ = try large(path(of: "file"))
        try FileManager.default.removeItem(atPath: path(of: "originals"))
        try Data().write(to: URL(filePath: path(of: "originals")))
        #expect(!held.hold(RandomID.random(), path: path(of: "file")))
    }

    @Test func `what a crash left is removed at the start, and what is to be copied stays`() throws {
        _ = try large(path(of: "file"))
        let (wanted, abandoned) = (RandomID.random(), RandomID.random())
        for id in [wanted, abandoned] { #expect(held.hold(id, path: path(of: "file"))) }
        held.removeAbandoned(keeping: [wanted])
        #expect(try names() == [wanted.hexadecimal])
        // A device that starts knows of no transfer that would be this one's.
        let device = path(of: "phone/companion-1")
        do {
            let phone = try RealDevice(folder.setup(.phone, "phone", meeting: false))
            withExtendedLifetime(phone) {}
        }
        try FileManager.default.copyItem(atPath: path(of: "file"), toPath: device + "/originals/" + wanted.hexadecimal)
        let phone = try RealDevice(folder.setup(.phone, "phone", meeting: false))
        #expect(try FileManager.default.contentsOfDirectory(atPath: device + "/originals").isEmpty)
        withExtendedLifetime(phone) {}
    }
}
