import Foundation
import Platform
import TestSupport
import Testing

@testable import SyncStore

@Suite
struct StateFolderTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    // MARK: - Opening

    @Test
    func `a folder that does not exist is created for its owner only`() throws {
        let path = place.path("state")

        let folder = try StateFolder(path: path)

        #expect(try permissions(path) == 0o700)
        #expect(folder.path == path)
        #expect(folder.path(of: "name") == path + "/name")
    }

    @Test
    func `a trailing slash does not matter`() throws {
        let folder = try StateFolder(path: place.path("state/"))

        #expect(folder.path(of: "name") == place.path("state/name"))
    }

    @Test
    func `an empty folder that others may read is closed to them`() throws {
        let path = place.path("state")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try setPermissions(0o755, of: path)

        _ = try StateFolder(path: path)

        #expect(try permissions(path) == 0o700)
    }

    @Test
    func `a folder that was used before is closed again`() throws {
        let path = place.path("state")
        do {
            let folder = try StateFolder(path: path)
            try folder.writeSecret("key", [1])
        }
        try setPermissions(0o750, of: path)

        _ = try StateFolder(path: path)

        #expect(try permissions(path) == 0o700)
    }

    @Test
    func `the permissions of a folder with other files are not touched`() throws {
        let path = place.path("documents")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try setPermissions(0o755, of: path)
        try write(Data([1]), to: path + "/letter")

        #expect(throws: FolderError.notPrivate(path: path, mode: 0o755)) { try StateFolder(path: path) }

        #expect(try permissions(path) == 0o755)
        #expect(try names(in: path) == ["letter"])
    }

    @Test
    func `a file is no folder`() throws {
        let path = place.path("file")
        try write(Data([1]), to: path)

        #expect(throws: FolderError.notAFolder(path: path)) { try StateFolder(path: path) }
        #expect(throws: FolderError.parentMissing(path: path + "/state")) { try StateFolder(path: path + "/state") }
    }

    @Test
    func `a missing parent is named`() throws {
        let path = place.path("missing/state")

        let error = #expect(throws: FolderError.self) { try StateFolder(path: path) }

        #expect(error == .parentMissing(path: path))
        #expect(error?.description.contains(path) == true)
    }

    @Test
    func `a folder of another user is refused`() throws {
        // For an ordinary user the root folder belongs to another user; the superuser can change a folder's owner.
        var path = "/"
        if geteuid() == 0 {
            path = place.path("foreign")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try #require(unsafe chown(path, 12345, 12345) == 0)
        }
        let owner: UInt32 = geteuid() == 0 ? 12345 : 0

        #expect(throws: FolderError.foreignOwner(path: path, userID: owner)) { try StateFolder(path: path) }
    }

    @Test
    func `a parent that cannot be written is named`() async throws {
        let parent = place.path
        try setPermissions(0o555, of: parent)

        await #expect(processExitsWith: .success) { [parent = parent as String] in
            giveUpPrivileges()
            #expect(throws: FolderError.notWritable(path: parent + "/state")) {
                try StateFolder(path: parent + "/state")
            }
        }
    }

    @Test
    func `a folder that cannot be written is named`() async throws {
        let path = place.path("state")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        if geteuid() == 0 { try #require(unsafe chown(path, unprivilegedUser, unprivilegedUser) == 0) }
        try setPermissions(0o500, of: path)

        await #expect(processExitsWith: .success) { [path = path as String] in
            giveUpPrivileges()
            #expect(throws: FolderError.notWritable(path: path + "/lock")) { try StateFolder(path: path) }
        }
        try setPermissions(0o700, of: path)
    }

    // MARK: - The lock

    @Test
    func `a second holder in this process is refused and told who holds it`() throws {
        let path = place.path("state")
        let folder = try StateFolder(path: path)

        let error = #expect(throws: FolderError.self) { try StateFolder(path: path) }

        #expect(error == .inUse(path: path, processID: getpid()))
        #expect(error?.description.contains("process \(getpid())") == true)
        withExtendedLifetime(folder) {}
    }

    @Test
    func `a second process is refused and told who holds it`() async throws {
        let path = place.path("state")
        let folder = try StateFolder(path: path)

        await #expect(processExitsWith: .success) { [path = path as String, holder = getpid() as Int32] in
            #expect(throws: FolderError.inUse(path: path, processID: holder)) { try StateFolder(path: path) }
        }
        withExtendedLifetime(folder) {}
    }

    @Test
    func `the folder is free when its object is gone`() throws {
        let path = place.path("state")
        do { _ = try StateFolder(path: path) }

        _ = try StateFolder(path: path)
    }

    @Test
    func `the folder is free when its holder was killed`() async throws {
        let path = place.path("state")

        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let folder = try StateFolder(path: path)
            try withExtendedLifetime(folder) {
                kill(getpid(), SIGKILL)
                try #require(Bool(false), "the process outlived its end")
            }
        }

        _ = try StateFolder(path: path)
    }

    @Test
    func `a child process does not inherit the lock`() throws {
        let folder = try StateFolder(path: place.path("state"))

        #expect(fcntl(folder.lock.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(folder.folder.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test
    func `the folder is free although a child process that was just forked has a copy of the lock`() throws {
        let path = place.path("state")
        var folder: StateFolder? = try StateFolder(path: path)
        let copy = try dup(#require(folder).lock.descriptor)
        defer { close(copy) }
        folder = nil

        _ = try StateFolder(path: path)
    }

    @Test
    func `a lock file without a number still refuses`() throws {
        let path = place.path("state")
        let folder = try StateFolder(path: path)
        try write(Data([]), to: path + "/lock")

        let error = #expect(throws: FolderError.self) { try StateFolder(path: path) }

        #expect(error == .inUse(path: path, processID: nil))
        withExtendedLifetime(folder) {}
    }
}
