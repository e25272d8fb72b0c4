import Crypto
import Foundation
import PoolControl
import PoolModel
import PoolStore
import TestSupport
import Testing

@testable import PoolHub

/// V5: only the passphrase opens a file for another hub, and a changed file is rejected with its name.
@Suite struct SealedExportTests {
    private static let contents = Array("the pool is 48 m³".utf8)
    /// The cheapest accepted key; the default one takes seconds in an unoptimised program.
    private static let key = Result { try PassphraseKey("correct horse battery", costExponent: 14) }

    private let key: PassphraseKey
    private let place: TestHubFolder

    init() throws {
        key = try Self.key.get()
        place = try TestHubFolder()
    }

    private func seal() throws -> SealedExport { try SealedExport(Self.contents, with: key) }

    private func open(_ bytes: [UInt8]) throws -> [UInt8] {
        try SealedExport(bytes, path: "a.export").open(with: key, path: "a.export")
    }

    @Test func `V5 what was sealed is opened, differs each time, and shows nothing`() throws {
        let (first, second) = (try seal().bytes, try seal().bytes)

        #expect(try open(first) == Self.contents)
        #expect(first != second)
        #expect(first.firstRange(of: Array("pool is".utf8)) == nil)
        #expect(first.count == 60 + Self.contents.count + 16 + 32)
    }

    @Test func `V5 each byte of a file counts, also where the checksum was made anew`() throws {
        let sealed = try seal().bytes
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: ConfigurationExportError.self, "byte \(place)") { try open(changed) }
            let body = Array(changed.dropLast(32))
            let fits = body + Array(SHA256.hash(data: body))
            // The last 32 bytes are the checksum itself, which would be correct again.
            guard place < sealed.count - 32 else { continue }
            #expect(throws: ConfigurationExportError.self, "byte \(place)") { try open(fits) }
        }
    }

    @Test func `V5 a file that was cut off or grew is damaged, whatever its length`() throws {
        let sealed = try seal().bytes
        for count in 0..<sealed.count {
            let error = #expect(throws: ConfigurationExportError.self) { try open(Array(sealed.prefix(count))) }
            switch try #require(error) {
            case .notOne(path: "a.export"): #expect(count < 11)
            case .damaged(path: "a.export", _): #expect(count >= 11)
            default: Issue.record("\(count) bytes: \(String(describing: error))")
            }
        }
        #expect(throws: ConfigurationExportError.self) { try open(sealed + [0]) }
        let text = Array(String(decoding: sealed.prefix(16), as: UTF8.self).replacing("\r\n", with: "\n").utf8)
        let error = #expect(throws: ConfigurationExportError.self) { try open(text + sealed.dropFirst(16)) }
        #expect(error == .damaged(path: "a.export", finding: "its beginning is not as it was written"))
    }

    @Test func `V5 another passphrase, another salt and another cost do not open it`() throws {
        let sealed = try seal().bytes
        let path = place.path
        func write(_ bytes: [UInt8]) throws {
            let body = Array(bytes.dropLast(32))
            try Data(body + Array(SHA256.hash(data: body))).write(to: URL(filePath: path))
        }
        func opened(_ passphrase: String) throws -> [UInt8] {
            try SealedExport(reading: path).open(with: PassphraseKey(passphrase, ofExport: path), path: path)
        }
        try write(sealed)
        #expect(try opened("correct horse battery") == Self.contents)
        #expect(throws: ConfigurationExportError.notOpened(path: path)) { try opened("correct horse batterie") }
        var changed = sealed
        changed[24] ^= 1
        try write(changed)
        #expect(throws: ConfigurationExportError.notOpened(path: path)) { try opened("correct horse battery") }
        // A key that was derived for another file.
        #expect(throws: ConfigurationExportError.replaced(path: path)) {
            try SealedExport(reading: path).open(with: key, path: path)
        }
        changed = sealed
        changed[19] = 15
        try write(changed)
        #expect(throws: ConfigurationExportError.notOpened(path: path)) { try opened("correct horse battery") }
    }

    @Test(arguments: [
        (18, UInt8(2), "the unknown method 2"), (19, 13, "a cost of 2^13, which is not in 2^14…2^20"),
        (19, 63, "a cost of 2^63"), (21, 9, "a block size of 9"), (23, 0, "a parallelism of 0"),
        (22, 1, "a parallelism of 257"),
    ])
    func `V5 a key too weak or too dear is refused before it is made`(place: Int, byte: UInt8, finding: String) throws {
        var body = Array(try seal().bytes.dropLast(32))
        body[place] = byte
        let error = #expect(throws: ConfigurationExportError.self) {
            try SealedExport(body + Array(SHA256.hash(data: body)), path: "a.export")
        }
        #expect("\(try #require(error))".contains(finding))
    }

    @Test func `V5 a file of a newer version and files of other kinds are named as such`() throws {
        var sealed = try seal().bytes
        sealed[17] = 2
        let newer = #expect(throws: ConfigurationExportError.self) { try open(sealed) }
        #expect(newer == .newer(path: "a.export", finding: "format 2"))
        #expect("\(try #require(newer))".contains("use that version here, too"))
        #expect(throws: ConfigurationExportError.notOne(path: "a.export")) { try open(Array("{}".utf8)) }
        #expect(throws: ConfigurationExportError.notOne(path: "a.export")) { try open([]) }
        let path = place.path
        #expect(throws: ConfigurationExportError.missing(path: path)) { try PassphraseKey.checkExport(path) }
        #expect(throws: ConfigurationExportError.notAFile(path: "/dev/null")) { try SealedExport(reading: "/dev/null") }
        let records = #"{"records":4,"entries":7}"#
        let unknown = #expect(throws: ConfigurationExportError.self) {
            try ExportedConfiguration(Array(records.utf8), path: "a.export")
        }
        #expect(unknown == .newer(path: "a.export", finding: "version 4 of the records"))
        #expect(throws: ConfigurationExportError.self) {
            try ExportedConfiguration(Array(#"{"records":2}"#.utf8), path: "a.export")
        }
    }

    @Test func `V5 a file is for this user only, and none is replaced unasked`() throws {
        let path = place.path
        try seal().write(to: path, replaces: false)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(throws: HistoryError.exists(path: path)) { try seal().write(to: path, replaces: false) }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        try seal().write(to: path, replaces: true)
        #expect(try Data(contentsOf: URL(filePath: path)) != before)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["hub"])
    }

    @Test(arguments: [
        ("", PassphraseError.tooShort(characterCount: 0)), ("eleven char", .tooShort(characterCount: 11)),
    ])
    func `V5 a new file needs a passphrase that is not soon guessed`(passphrase: String, error: PassphraseError) {
        #expect(throws: error) { try PassphraseKey(passphrase) }
        #expect("\(error)".contains("at least 12"))
    }

    /// A file with records of version 1, in which devices may have no type and there are no pools.
    ///
    /// It was written by another implementation of scrypt, AES-GCM and SHA-256.
    private static let older = """
        UG9vbFNlbnNvcnMNChoKAAABAQ4ACAABAAECAwQFBgcICQoLDA0OD2RlZmdoaWprbG1ubwAAAAAAAAN6Q1pFiCvOzXZRlp8o5v1L
        CiAEtMc3PAA0ogGbbQGV5mCsIVeLsEEHyeGqAew+e8sidmQXCm/44i1PM2joslg9PwUopQFCqCXVuhcBL0hENVRmSmHiZGgZNUqf
        5L/TabIMg8+zG7rwx97o7hIlO7U5oSbabvLwfjNV9CnH9g8ncTn/TxGLzWbkR6RIDaH7fC7J19TN16A4PE9hava5DIUrdOhsJQ+Z
        zamm6CpP6cP3g5RY7/OYuyC0oBFZeEAbNlqAozwvBUurrPKAwLdr06XEvLfOk8TBWKgVUlujgiYA6AqBs+sKQzYK7HY/b2hbbPjg
        u4l7U2FE1zFgp0XksN2bJTzagEe9Ul8JSxqOY1gihHbWT7oHznkINfDXyWgI2FoN36CUtbG/Azd42Rq6VE+1ibg2CpFsM5FL9Hyg
        Eh8ql0eSrCD/70bt/AXHXyyo5FZeUcIwM4zX82mTNOegcI5FzH72tEtUQYislkm6QXBviHpZGeOd1PhFXs1/vtQLNd0hz68tg2Iy
        cdbQqt2V//L8+z1pSOBt4qnHRCho4zHH/uqnTIGatj0ynB90iG5yy9QWYtTqZ0QIyKBWKkvq67ZA1D0XvvVOjPlC1wZZy7ojBG34
        dx8SvTCLKt7YoOkV8OcSWqkf9IGlHOuNLyZQTwekv2DrO6fWs71LtPmtxZ+Xptzk1R4oM1VjHlVLzuXoCeQ+gHr2ZVBLmsynsYM5
        BNSsQCEda+Sx+9JOwZz8pIIE3MzZ/ilz4UEB5zomszjZV0a8M614rj/rqkbPNEhLpofwG6JbxJnO75K4DfHOPw07zskDoTaAWQl4
        +nE0XaV5XT0Mn3zE9LjI4cOEWAtefnBPaHweENv6xE1iDpt/Zsl67o3mR00faCQGt1Je07pcstXKZNJh8eur/2lQKmEQScB7BVr3
        0/3b/2gfujjcQig+W55qyJVCRljhQ7djtXjD1BuGjFcJWA6MEpvI/tGezt0SNHNTwrv4132IX8wLvy1e57SYbAv2znKdM7EJng5X
        BRX4UPoZbY4uEdRa0OwivTcsTRNGfemjovypxsg896QepTHxARkQTBQimzMlXAtPci6GMmxpexSkeNSkM5plFMLmXieSpg5nOBGF
        lmUYkTipVsz17xx1yTQym1fQB2ivPsGGl9UDBS9hKwyXyu4BF2TO4oq6ry6VxVjdnQ3C5O+Se2+/qSshY2UB+t+FHv53VGZD1dRD
        jEcBfOkUXQ==
        """

    @Test func `V5 a file of an older version of the records, made by another program, is opened and read`() throws {
        let bytes = Data(base64Encoded: Self.older, options: .ignoreUnknownCharacters)
        try #require(bytes).write(to: URL(filePath: place.path))

        let key = try PassphraseKey("correct horse battery", ofExport: place.path)
        let told = try ExportedConfiguration(reading: place.path, with: key)

        var problems: [ConfigurationProblem] = []
        let configuration = told.configuration(&problems)
        #expect(problems == [])
        let server = try #require(configuration.servers.first)
        #expect(told.secret(.password(server.id)) == "wet-secret")
        #expect(configuration.devices.map(\.deviceType) == [Device.defaultType])
        #expect(configuration.devices.map(\.serverID) == [server.id])
        #expect(told.revision == 7 && told.writtenAt.iso8601.hasPrefix("2026-06-01T12:00:00"))
    }
}
