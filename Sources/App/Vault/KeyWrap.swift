import Crypto
package import SyncStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Wraps keys, and other short secrets, under a master key that is in another folder.
///
/// A wrapped key is bound to the name that it was wrapped for. Calls may come on any thread.
package struct KeyWrap: Sendable {
    /// The name of the master key in its folder.
    package static let masterName = "master"

    private let master: SymmetricKey

    /// Reads the master key of a folder.
    ///
    /// - Parameters:
    ///   - keys: The folder.
    ///   - mayCreate: Whether a missing one is made; false where wrapped keys exist, which another one would not open.
    /// - Throws: `FolderError`, and ``KeyWrapError/missing(path:)``.
    package init(keys: StateFolder, mayCreate: Bool) throws {
        if let bytes = try keys.readSecret(Self.masterName) {
            guard bytes.count == SealedFile.keyByteCount else {
                throw KeyWrapError.missing(path: keys.path(of: Self.masterName))
            }
            master = SymmetricKey(data: bytes)
            return
        }
        guard mayCreate else { throw KeyWrapError.missing(path: keys.path(of: Self.masterName)) }
        let bytes = SealedFile.makeKey()
        try keys.writeSecret(Self.masterName, bytes)
        master = SymmetricKey(data: bytes)
    }

    /// Wraps a secret for a name.
    package func wrap(_ secret: [UInt8], for name: String) -> [UInt8] {
        // A random nonce of 12 bytes is the library's own choice, so there is a combined form.
        guard let box = try? AES.GCM.seal(secret, using: master, authenticating: Data(name.utf8)),
            let bytes = box.combined
        else { preconditionFailure("AES-GCM refused a key of 32 bytes") }
        return Array(bytes)
    }

    /// Unwraps what was wrapped for a name.
    ///
    /// - Throws: ``KeyWrapError/foreign(name:)``.
    package func unwrap(_ bytes: [UInt8], for name: String) throws(KeyWrapError) -> [UInt8] {
        guard let box = try? AES.GCM.SealedBox(combined: bytes),
            let secret = try? AES.GCM.open(box, using: master, authenticating: Data(name.utf8))
        else { throw .foreign(name: name) }
        return Array(secret)
    }
}

/// Why a wrapped key cannot be used.
package enum KeyWrapError: Error, Equatable, CustomStringConvertible {
    /// The master key is missing or damaged.
    case missing(path: String)
    /// It was wrapped under another master key, or for another name.
    case foreign(name: String)

    /// The error, and what to do about it.
    package var description: String {
        switch self {
        case .missing(let path):
            "the master key \(path).secret is missing or damaged: restore it from a backup, without it nothing sealed opens"
        case .foreign(let name):
            "the key of \(name) does not open with this master key: restore both from the same backup"
        }
    }
}
