import Platform
import SyncStore
package import Text

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Sealed files in a folder, each under a key of its own, which whoever uses it keeps wrapped.
package struct SealedFolder: Sendable {
    /// A file that was just written.
    package struct Sealed: Sendable {
        package var name: String
        /// The key, wrapped for the name.
        package var wrapped: [UInt8]
    }

    /// The folder.
    package let folder: String
    private let keys: KeyWrap

    /// Uses a folder, which is made if it does not exist.
    package init(folder: String, keys: KeyWrap) throws(BilingualProblem) {
        self.folder = folder
        self.keys = keys
        do { try StateFolder.prepare(folder) } catch { throw Self.problem(error) }
    }

    package func path(of name: String) -> String { "\(folder)/\(name)" }

    /// Seals contents; when this returns, it is durable.
    ///
    /// It is nothing before a row has its wrapped key.
    package func write(_ bytes: [UInt8], as name: String) throws(BilingualProblem) -> Sealed {
        let key = SealedFile.makeKey()
        do { try SealedFile.write(bytes, to: path(of: name), key: key) } catch { throw Self.problem(error) }
        return Sealed(name: name, wrapped: keys.wrap(key, for: name))
    }

    /// Opens a file.
    package func read(_ name: String, wrapped: Data) throws(BilingualProblem) -> [UInt8] {
        do {
            return try SealedFile.read(path(of: name), key: keys.unwrap(Array(wrapped), for: name))
        } catch { throw Self.problem(error) }
    }

    /// The key of a file, for those who get the sealed file itself.
    package func key(of name: String, wrapped: Data) throws(BilingualProblem) -> [UInt8] {
        do { return try keys.unwrap(Array(wrapped), for: name) } catch { throw Self.problem(error) }
    }

    /// Removes files; that one is missing is as good.
    package func remove(_ names: [String]) throws(BilingualProblem) {
        for name in names {
            do { try SealedFile.remove(path(of: name)) } catch { throw Self.problem(error) }
        }
    }

    /// Removes every file that is not among these: what a crash left between a file and its row.
    package func sweep(keeping names: Set<String>) throws(BilingualProblem) {
        try remove((FileSystem.names(in: folder) ?? []).filter { !names.contains($0) })
    }

    private static func problem(_ error: any Error) -> BilingualProblem {
        BilingualProblem(.failed, "\(error)", "\(error)")
    }
}
