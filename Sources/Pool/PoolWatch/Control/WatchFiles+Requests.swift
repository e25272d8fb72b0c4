internal import SyncCore
internal import SyncStore

extension WatchFiles {
    /// Carries out a request about files; nil if the request is about something else.
    ///
    /// - Throws: `FileStoreError`, ``ReceivedFile/MatchError``.
    func perform(_ request: WatchRequest) throws -> WatchAnswer? {
        switch request {
        case .files: return .files(kept.map { ReceivedFile($0) })
        case .removeFile(let text):
            let kept = kept
            let file = try ReceivedFile.matching(text, among: kept.map { ReceivedFile($0) })
            if let entry = kept.first(where: { $0.id.hexadecimal == file.id }) { try remove(entry) }
            return .removedFile(file)
        case .rename, .renamePool, .limits, .select, .settle, .acknowledge, .snooze, .alerts, .report, .glance,
            .deliver:
            return nil
        }
    }
}
