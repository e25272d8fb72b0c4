internal import Platform
internal import PoolModel
internal import SyncCore
internal import SyncStore

/// The last notices that a watch received, in a file of its folder.
///
/// A stored notice is not added again, whether it arrives as user info or with the complication.
final class NoticeStore: Sendable {
    /// The name of the file.
    static let name = "notices"
    /// The most notices that are kept.
    static let countMax = 32

    private struct Pages {
        var folder: StateFolder?
        var notices: [AlertNotice]
        var takenCount = 0
    }

    private let pages: Lock<Pages>

    /// Opens the notices of a folder; if the file cannot be read, it starts with none.
    ///
    /// - Throws: `FolderError`.
    init(in folder: StateFolder) throws {
        let bytes = try folder.readSecret(Self.name)
        // Notices are only a history; the open alerts come from the hub.
        let notices = bytes.flatMap { try? CanonicalJSON.decode([AlertNotice].self, from: $0) } ?? []
        pages = Lock(Pages(folder: folder, notices: notices))
    }

    /// The notices, newest first.
    var notices: [AlertNotice] { pages.withLock(\.notices) }

    /// How many notices were added since the start.
    var takenCount: Int { pages.withLock(\.takenCount) }

    /// Adds the notice in an item, durably; ignores an item without a notice.
    ///
    /// - Returns: Whether it was a new notice.
    /// - Throws: `FolderError`, `CanonicalJSON.Failure`; then nothing was added.
    func take(_ item: ReceivedItem) throws -> Bool {
        guard let notice = Self.notice(in: item) else { return false }
        return try pages.withLock { pages in
            guard let folder = pages.folder, !pages.notices.contains(where: { $0.id == notice.id }) else {
                return false
            }
            var notices = Array(([notice] + pages.notices).prefix(Self.countMax))
            var bytes = try CanonicalJSON.encode(notices)
            while bytes.count > StateFolder.secretByteCountMax, notices.count > 1 {
                notices.removeLast()
                bytes = try CanonicalJSON.encode(notices)
            }
            try folder.writeSecret(Self.name, bytes)
            pages.notices = notices
            pages.takenCount += 1
            return true
        }
    }

    /// Releases the folder.
    func close() { pages.withLock { $0.folder = nil } }

    /// The notice in an item: `{"alert": …}`; nil for user info of another kind or of a later version.
    private static func notice(in item: ReceivedItem) -> AlertNotice? {
        guard case .dictionary(let members)? = try? PropertyList(decoding: item.payload),
            case .string(let json)? = members["alert"]
        else { return nil }
        return try? CanonicalJSON.decode(AlertNotice.self, from: Array(json.utf8))
    }
}
