internal import Platform
package import PoolModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// How far a mirror of the history is, in a file beside it, so that the hub can say when it falls behind.
///
/// The mirror's database knows it, too, and is right if the two differ.
package struct MirrorMark: Codable, Hashable, Sendable {
    /// The row up to which all is copied.
    package var row: Int64
    /// When that was copied, by this machine's clock.
    package var copiedAt: Timestamp

    /// Notes a place.
    package init(row: Int64, copiedAt: Timestamp) {
        self.row = row
        self.copiedAt = copiedAt
    }

    private static func path(ofHistory path: String) -> String { path + ".mirror" }

    /// Reads the mark beside a history; nil if it does not exist.
    ///
    /// - Throws: ``HistoryError``.
    package static func read(ofHistory path: String) throws(HistoryError) -> MirrorMark? {
        let file = self.path(ofHistory: path)
        do {
            guard FileManager.default.fileExists(atPath: file) else { return nil }
            return try JSONDecoder().decode(MirrorMark.self, from: Data(contentsOf: URL(filePath: file)))
        } catch is DecodingError {
            throw .damaged(path: file, finding: "it is no mark of a mirror")
        } catch {
            throw HistoryError(error, path: file)
        }
    }

    /// Writes the mark beside a history, in place of the one before.
    ///
    /// - Throws: ``HistoryError``; then the mark before is there.
    package func write(ofHistory path: String) throws(HistoryError) {
        let file = Self.path(ofHistory: path)
        do {
            try NewFile.write(Array(JSONEncoder().encode(self)), to: file)
        } catch {
            throw HistoryError(error, path: file)
        }
    }

    /// Removes the mark, so that there is no mirror as far as the hub knows; does nothing if it does not exist.
    ///
    /// - Throws: ``HistoryError``.
    package static func remove(ofHistory path: String) throws(HistoryError) {
        let file = self.path(ofHistory: path)
        do {
            guard FileManager.default.fileExists(atPath: file) else { return }
            try FileManager.default.removeItem(atPath: file)
        } catch {
            throw HistoryError(error, path: file)
        }
    }
}
