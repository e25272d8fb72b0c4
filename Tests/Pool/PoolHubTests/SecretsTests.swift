import Foundation
import PoolModel
import SyncStore
import TestSupport
import Testing
import Vault

@testable import PoolHub

/// P115: stored passwords are encrypted, and the key is stored elsewhere.
@Suite struct SecretsTests {
    private let place: TestHubFolder
    private let server = ServerID(high: 1, low: 2)

    init() throws {
        place = try TestHubFolder()
    }

    private var keyPath: String { HubFolder.defaultKeyPath(path: place.path) }

    private func secrets() throws -> Secrets {
        try Secrets(StateFolder(path: place.path), keys: StateFolder(path: keyPath))
    }

    @Test func `P115 a password is read back, by another process too, and forgotten`() throws {
        try secrets().setPassword("sesame-71", of: server)
        #expect(try secrets().password(of: server) == "sesame-71")
        try secrets().setPassword(nil, of: server)
        #expect(try secrets().password(of: server) == nil)
    }

    @Test func `P115 no file of the hub holds a password, and all are for this user only`() throws {
        try secrets().setPassword("sesame-71", of: server)
        try secrets().setSigningSecret("hush-hush", named: "default")
        for folder in [place.path, keyPath] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let path = "\(folder)/\(name)"
                let bytes = try Data(contentsOf: URL(filePath: path))
                #expect(bytes.range(of: Data("sesame-71".utf8)) == nil, "\(name)")
                #expect(bytes.range(of: Data("hush-hush".utf8)) == nil, "\(name)")
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(name == "lock" || mode == 0o600, "\(name)")
            }
        }
        #expect(try secrets().signingSecret(named: "default") == "hush-hush")
    }

    @Test func `a secret of a service for phones belongs to one address`() throws {
        let service = try #require(PhoneService.of(.ntfy))
        try secrets().keep([
            .phone(.ntfy, field: "token", address: "https://ntfy.sh"): "tk_public",
            .phone(.ntfy, field: "token", address: "https://own.example"): "tk_own",
            .phone(.telegram, field: "token", address: "https://ntfy.sh"): "1:a",
        ])
        #expect(try secrets().secrets(of: service, at: "https://ntfy.sh") == ["token": "tk_public"])
        #expect(try secrets().secrets(of: service, at: "https://own.example") == ["token": "tk_own"])
        #expect(try secrets().secrets(of: service, at: "https://evil.example") == [:])
    }

    @Test func `a seal differs each time, so that equal passwords cannot be seen`() throws {
        let sealed = { try StateFolder(path: place.path).readSecret(SealedSecrets.sealedName) }
        try secrets().setPassword("same", of: server)
        let first = try sealed()
        try secrets().setPassword("other", of: server)
        try secrets().setPassword("same", of: server)
        #expect(try sealed() != first)
    }

    @Test func `without its key, with another one, or damaged, a seal is refused by name`() throws {
        try secrets().setPassword("sesame-71", of: server)
        let key = URL(filePath: keyPath).appending(path: "\(SealedSecrets.keyName).secret")
        let bytes = try Data(contentsOf: key)

        try FileManager.default.removeItem(at: key)
        let missing = #expect(throws: SecretsError.self) { try secrets().password(of: server) }
        #expect("\(try #require(missing))".contains(key.path))
        // A new password must not create a new key while the old data cannot be decrypted.
        #expect(throws: SecretsError.self) { try secrets().setPassword("new", of: server) }

        try Data(repeating: 7, count: 32).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        let other = #expect(throws: SecretsError.self) { try secrets().password(of: server) }
        #expect("\(try #require(other))".contains("does not open"))

        try bytes.write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        #expect(try secrets().password(of: server) == "sesame-71")
        let sealed = URL(filePath: place.path).appending(path: "\(SealedSecrets.sealedName).secret")
        var damaged = try Data(contentsOf: sealed)
        damaged[damaged.count / 2] ^= 1
        try damaged.write(to: sealed)
        #expect(throws: SecretsError.self) { try secrets().password(of: server) }
    }
}
