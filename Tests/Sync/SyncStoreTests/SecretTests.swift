import Foundation
import TestSupport
import Testing

@testable import SyncStore

@Suite
struct SecretTests {
    private let place: TemporaryFolder
    private let folder: StateFolder

    init() throws {
        place = try TemporaryFolder()
        folder = try StateFolder(path: place.path("state"))
    }

    @Test(arguments: [[], [0], Array(repeating: 255, count: StateFolder.secretByteCountMax)])
    func `a secret is read as it was written`(bytes: [UInt8]) throws {
        try folder.writeSecret("server-1", bytes)

        #expect(try folder.readSecret("server-1") == bytes)
        #expect(try permissions(folder.path(of: "server-1.secret")) == 0o600)
    }

    @Test
    func `a secret that was never written is absent`() throws {
        #expect(try folder.readSecret("server-1") == nil)
    }

    @Test
    func `a secret is replaced as a whole`() throws {
        try folder.writeSecret("key", Array("a long secret".utf8))
        try folder.writeSecret("key", Array("short".utf8))

        #expect(try folder.readSecret("key") == Array("short".utf8))
        #expect(try names(in: folder.path) == ["key.secret", "lock"])
    }

    @Test
    func `a secret is removed, and removing none is no error`() throws {
        try folder.writeSecret("key", [1])

        try folder.removeSecret("key")
        try folder.removeSecret("key")

        #expect(try folder.readSecret("key") == nil)
    }

    @Test
    func `a secret of one byte too many is refused, and the one before stays`() throws {
        let path = folder.path(of: "key.secret")
        try folder.writeSecret("key", [1])

        #expect(throws: FolderError.secretUnfit(path: path)) {
            try folder.writeSecret("key", Array(repeating: 0, count: StateFolder.secretByteCountMax + 1))
        }

        #expect(try folder.readSecret("key") == [1])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o660, 0o644, 0o601])
    func `a secret that others may touch is refused`(mode: Int) throws {
        let path = folder.path(of: "key.secret")
        try folder.writeSecret("key", [1])
        try setPermissions(mode, of: path)

        let error = #expect(throws: FolderError.self) { try folder.readSecret("key") }

        #expect(error == .secretExposed(path: path, mode: UInt32(mode)))
        #expect(error?.description.contains("chmod 600") == true)
    }

    @Test
    func `a link, a folder, a pipe and a large file are no secrets`() throws {
        try write(Data([1]), to: folder.path(of: "plain"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "link.secret"), withDestinationPath: folder.path(of: "plain"))
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "folder.secret"), withIntermediateDirectories: false)
        try #require(unsafe mkfifo(folder.path(of: "pipe.secret"), 0o600) == 0)
        try write(Data(Array(repeating: 0, count: 65_537)), to: folder.path(of: "large.secret"))
        try setPermissions(0o600, of: folder.path(of: "large.secret"))

        for name in ["link", "folder", "pipe", "large"] {
            #expect(throws: FolderError.secretUnfit(path: folder.path(of: name + ".secret"))) {
                try folder.readSecret(name)
            }
        }
    }

    @Test
    func `a link in the place of the new file is not followed`() throws {
        let victim = place.path("victim")
        try write(Data([9]), to: victim)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: ".key.secret.new"), withDestinationPath: victim)

        try folder.writeSecret("key", [1])

        #expect(contents(victim) == Data([9]))
        #expect(try folder.readSecret("key") == [1])
    }

    @Test
    func `a disk that refuses a secret leaves the one before`() async throws {
        try folder.writeSecret("key", [1])

        await #expect(processExitsWith: .success) { [path = place.path("other") as String] in
            let folder = try StateFolder(path: path)
            try folder.writeSecret("key", [1])
            limitFileSize(to: 1000)
            #expect(throws: FolderError.full(path: path + "/.key.secret.new")) {
                try folder.writeSecret("key", Array(repeating: 2, count: 2000))
            }
            #expect(try folder.readSecret("key") == [1])
            #expect(try names(in: path) == ["key.secret", "lock"])
        }
    }

    @Test(arguments: ["", "a/b", "..\u{0}", "ü", String(repeating: "x", count: 101)])
    func `a name that could lead elsewhere traps`(name: String) async {
        await #expect(processExitsWith: .failure) { [name, path = place.path("other") as String] in
            let folder = try StateFolder(path: path)
            try folder.writeSecret(name, [])
        }
    }
}
