import Foundation
import ImtModel
import Platform
import SyncStore
import Vault

/// The sealed files of photos and of their copies, each under a key of its own.
struct PhotoFiles: Sendable {
    /// A file that was just written.
    struct Sealed: Sendable {
        var name: String
        /// The key, wrapped for the name.
        var wrapped: [UInt8]
    }

    let folder: String
    private let keys: KeyWrap

    /// Uses a folder, which is made if it does not exist.
    init(folder: String, keys: KeyWrap) throws(ImtProblem) {
        self.folder = folder
        self.keys = keys
        do { try StateFolder.prepare(folder) } catch { throw Self.problem(error) }
    }

    func path(of name: String) -> String { "\(folder)/\(name)" }

    /// Seals a picture; when this returns, it is durable.
    ///
    /// It is nothing before a row has its wrapped key.
    func write(_ bytes: [UInt8], as name: String) throws(ImtProblem) -> Sealed {
        let key = SealedFile.makeKey()
        do { try SealedFile.write(bytes, to: path(of: name), key: key) } catch { throw Self.problem(error) }
        return Sealed(name: name, wrapped: keys.wrap(key, for: name))
    }

    /// Opens a picture.
    func read(_ name: String, wrapped: Data) throws(ImtProblem) -> [UInt8] {
        do {
            return try SealedFile.read(path(of: name), key: keys.unwrap(Array(wrapped), for: name))
        } catch { throw Self.problem(error) }
    }

    /// The key of a file, for those who get the sealed file itself.
    func key(of name: String, wrapped: Data) throws(ImtProblem) -> [UInt8] {
        do { return try keys.unwrap(Array(wrapped), for: name) } catch { throw Self.problem(error) }
    }

    /// Removes files; that one is missing is as good.
    func remove(_ names: [String]) throws(ImtProblem) {
        for name in names {
            do { try SealedFile.remove(path(of: name)) } catch { throw Self.problem(error) }
        }
    }

    /// Removes every file that is not among these: what a crash left between a file and its row.
    func sweep(keeping names: Set<String>) throws(ImtProblem) {
        try remove((FileSystem.names(in: folder) ?? []).filter { !names.contains($0) })
    }

    private static func problem(_ error: any Error) -> ImtProblem {
        ImtProblem(.failed, "\(error)", "\(error)")
    }
}
