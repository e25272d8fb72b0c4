import CommandSupport
import Foundation
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import poolsensors

@Suite struct StateFoldersTests {
    @Test(arguments: [
        ("/s", "/s"), ("~/s", "/users/me/s"), ("s/t", "/here/s/t"), ("./s/../t", "/here/t"), ("~", "/users/me"),
    ])
    func `a path may be relative or the user's`(path: String, root: String) {
        #expect(StateFolders(path: path, environment: ["HOME": "/users/me"], workingFolder: "/here").root == root)
    }

    @Test func `the hub and each watch have a folder of their own`() {
        let folders = StateFolders(path: "/s", environment: [:])

        #expect(folders.hub == "/s/hub")
        #expect(folders.watch("Kitchen") == "/s/watches/Kitchen")
    }

    @Test func `where no hub runs, the advice is that for the service or names the service's hub`() {
        let (service, own) = (
            StateFolders(path: "/var/lib/poolsensors/", environment: [:]), StateFolders(path: "/s", environment: [:])
        )

        #expect(service.isOfService && service.hub == "/var/lib/poolsensors/hub" && !own.isOfService)
        #expect(service.startAdvice == "start it with: sudo systemctl start poolsensors-hub")
        #expect(own.startAdvice.hasPrefix("start it with: poolsensors hub"))
        #expect(own.otherHub(hasService: true).contains("sudo -u poolsensors POOLSENSORS_STATE=/var/lib/poolsensors "))
        #expect(own.otherHub(hasService: false).isEmpty && service.otherHub(hasService: true).isEmpty)
    }

    @Test(arguments: [
        ("/var/lib/poolsensors", "/srv/backup", true), ("/var/lib/poolsensors", "/var/lib/poolsensors-2", true),
        ("/var/lib/poolsensors", "/var/lib/poolsensors/backup", false), ("/s", "/srv/backup", false),
    ])
    func `an error about a path that the service may not use says so`(root: String, path: String, hasNote: Bool) {
        let note = StateFolders(path: root, environment: [:]).serviceNote(about: path)

        #expect(note?.hasSuffix("writes only below /var/lib/poolsensors") ?? false == hasNote)
    }

    @Test func `the path of each command that the hub carries out is known`() {
        #expect(HubCommand.backUp("/b").path == "/b")
        #expect(HubCommand.share(.send(FileToShare(watch: WatchID(bytes: 1...32), path: "/n"))).path == "/n")
        #expect(HubCommand.state.path == nil)
    }

    @Test(arguments: [
        ("Kitchen-2_b.c", "Kitchen-2_b.c"), ("..", "%2E."), (".", "%2E"), ("a/b", "a%2Fb"), ("a b", "a%20b"),
        ("Küche", "K%C3%BCche"), ("%2F", "%252F"), ("\u{1}", "%01"),
    ])
    func `any name of a watch is a safe name of a folder, and no two are the same`(name: String, folder: String) {
        #expect(StateFolders.fileName(of: name) == folder)
    }

    @Test func `a watch without a name is the only paired one, unless the usual one is paired`() throws {
        let temporary = try TemporaryFolder()
        func context(_ flags: [String: String] = [:]) throws -> CommandContext {
            try CommandContext(
                flags: flags.merging([Catalog.state.key: temporary.path("s")]) { $1 }, config: nil,
                environment: ["HOME": temporary.url.path])
        }
        func pair(_ name: String, isPaired: Bool = true) throws {
            let path = try context().folders.watch(name)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            if isPaired { try Data().write(to: URL(filePath: path + "/hub.secret")) }
        }
        #expect(try context().watchName == "watch")
        try pair("My wrist")
        try pair("watch", isPaired: false)
        #expect(try context().watchName == "My wrist")
        #expect(try context([Catalog.watchName.key: "Other"]).watchName == "Other")
        try pair("Kitchen")
        let failure = #expect(throws: CommandFailure.self) { try context().watchName }
        #expect(failure?.description.contains("name one of \"Kitchen\", \"My wrist\" with --name") == true)
        try pair("watch")
        #expect(try context().watchName == "watch")
    }

    @Test func `the longest name fits a file system`() {
        #expect(StateFolders.fileName(of: String(repeating: "ü", count: 32)).utf8.count <= 255)
    }

    @Test func `a path that is too long for the hub's socket is refused with the limit`() throws {
        let long = "/" + String(repeating: "x", count: 100)
        let failure = try #require(throws: CommandFailure.self) {
            try StateFolders(path: long, environment: [:]).prepare()
        }

        #expect(
            failure.description == "the state folder \(long) has a path of 101 bytes, too long for the hub's socket: "
                + "choose one of at most 95 bytes with --state")
    }

    @Test func `the folders are made for this user only`() throws {
        let temporary = try TemporaryFolder()
        let folders = StateFolders(path: temporary.path("a/b"), environment: [:])

        try folders.prepare()

        let attributes = try FileManager.default.attributesOfItem(atPath: folders.root)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(FileManager.default.fileExists(atPath: folders.root + "/watches"))
    }
}
