import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Brings the configuration to another hub, and takes the one of another hub in.
struct ConfigurationTransfer: Sendable {
    let ledger: any HubLedger
    let secrets: Secrets
    /// The times that an import is tried again because somebody edited in between.
    private static let importAttemptLimit = 8

    /// Writes the configuration and its secrets into a file for another hub.
    ///
    /// - Parameters:
    ///   - wish: Where to, and under which key.
    ///   - hub: The first digits of this hub's public key.
    /// - Returns: What was written.
    /// - Throws: `HistoryError` if the file cannot be written, ``SecretsError`` if the secrets cannot be opened.
    func export(_ wish: ConfigurationExport, hub: String) async throws -> HubReply {
        if let flaw = wish.key.derivation.flaw { return .refused("the new file would have a key with \(flaw)") }
        let contents = try await ledger.contents()
        var problems: [ConfigurationProblem] = []
        let configuration = PoolConfiguration(cells: contents.cells, problems: &problems)
        let revision = contents.version.revision
        let told = try ExportedConfiguration(configuration, secrets, hub: hub, revision: revision, at: .now)
        let sealed = try SealedExport(try CanonicalJSON.encode(told), with: wish.key)
        try sealed.write(to: wish.path, replaces: wish.replaces)
        return .configurationExported(
            ConfigurationExportReport(
                path: wish.path, revision: revision, servers: configuration.servers.count,
                devices: configuration.devices.count, pools: configuration.pools.count,
                secrets: told.passwords.count + told.signingSecrets.count, problems: problems.map { "\($0)" }))
    }

    /// Takes the configuration of another hub in, in one transaction, or says what that would change.
    ///
    /// New secrets are kept before the configuration changes, others change after it; one whose address changes is
    /// forgotten before, because the hub connects as soon as the configuration has changed. So no secret ever goes to
    /// another address than its own. After a crash in between one may be missing, which the same import completes.
    ///
    /// - Throws: ``ConfigurationExportError`` if the file cannot be read, ``SecretsError`` if the secrets cannot be opened,
    ///   and what is wrong with the store.
    func takeIn(_ wish: ConfigurationImport) async throws -> HubReply {
        let told = try ExportedConfiguration(reading: wish.path, with: wish.key)
        for _ in 0..<Self.importAttemptLimit {
            let draft = try ImportDraft(told, into: try await ledger.contents(), secrets, wish)
            guard wish.applies else { return .configurationImport(draft.report) }
            guard draft.report.obstacles.isEmpty else {
                return .refused("nothing was changed: \(draft.report.obstacles.joined(separator: "; "))")
            }
            do {
                try await apply(draft)
            } catch LinkError.refused(.versionMoved) {
                continue
            } catch LinkError.refused(let fault) {
                return .refused("nothing was changed: \(fault)")
            }
            var report = draft.report
            report.revision = try await ledger.contents().version.revision
            return .configurationImport(report)
        }
        return .refused("the configuration kept changing; try again")
    }

    private func apply(_ draft: ImportDraft) async throws {
        let moved = draft.secrets.moved
        var before: [Secrets.Name: String?] = draft.secrets.added.mapValues { .some($0) }
        for name in moved.keys { before[name] = .some(nil) }
        try secrets.keep(before)
        let changes = draft.merge.changes.map(\.cellChange)
        do {
            if !changes.isEmpty { try await ledger.transact(changes, expected: draft.version) }
        } catch LinkError.refused(let fault) {
            // Secrets of servers that are not there are of no use. After other failures the change may stand.
            for name in before.keys { before[name] = .some(moved[name] ?? nil) }
            try secrets.keep(before)
            throw LinkError.refused(fault)
        }
        try secrets.keep(draft.secrets.replaced)
    }
}

/// What taking in a configuration comes to on the newest configuration of this hub.
private struct ImportDraft {
    let merge: ConfigurationMerge
    let secrets: SecretsMerge
    /// The version of this hub's configuration.
    let version: Version
    private(set) var report: ConfigurationImportReport

    init(
        _ told: ExportedConfiguration, into contents: LedgerContents, _ own: Secrets, _ wish: ConfigurationImport
    ) throws {
        var problems: [ConfigurationProblem] = []
        let theirs = told.configuration(&problems)
        let mine = PoolConfiguration(entries: contents.entries)
        merge = ConfigurationMerge(theirs, into: mine, by: wish.policy)
        secrets = SecretsMerge(
            told, into: try own.secrets(named: mine.secretNames + merge.merged.secretNames), with: merge)
        version = contents.version
        let rows = merge.rows + secrets.rows
        let undecided = rows.count { $0.fate == .undecided }
        let question =
            undecided == 0
            ? []
            : [
                "\(undecided) \(undecided == 1 ? "thing differs" : "things differ"): say whose to keep, with --keep mine "
                    + "or --keep theirs"
            ]
        report = ConfigurationImportReport(
            path: wish.path, hub: told.hub, writtenAt: told.writtenAt, fileRevision: told.revision,
            policy: wish.policy,
            rows: ConfigurationMerge.Fate.allCases.flatMap { fate in rows.filter { $0.fate == fate } },
            sameCount: merge.sameCount, changeCount: merge.changes.count,
            secretCount: secrets.added.count + secrets.replaced.count,
            obstacles: merge.clashes.map { "\($0)" } + question + Self.unsafe(problems, to: wish.policy),
            notes: problems.map { "\($0)" } + merge.missingFiles, revisionBefore: contents.version.revision)
    }
}

extension ImportDraft {
    /// Why things of this hub must not go: they may be in the part of the file that cannot be read.
    private static func unsafe(
        _ problems: [ConfigurationProblem], to policy: ConfigurationMerge.Policy
    ) -> [String] {
        let isUnread = problems.contains { problem in
            switch problem {
            case .unknownEntry, .unreadableEntry, .incompleteRecord: true
            case .repeatedEntry, .invalidEntry, .serverMissing, .poolMissing, .topicShared, .selectionRepaired: false
            }
        }
        guard policy.removesOthers, isUnread else { return [] }
        return ["part of the file cannot be read, so what is missing in it is unknown: leave --remove-others out"]
    }
}

extension ConfigurationMerge {
    /// The files and folders that the merged configuration names because the other side does, and that are not here, in
    /// sentences.
    fileprivate var missingFiles: [String] {
        let named = merged.servers.flatMap { server -> [(String, String)] in
            guard let theirs = theirs.server(server.id) else { return [] }
            let files = [
                (server.caFile, theirs.caFile),
                (server.clientCertificate?.certificateFile, theirs.clientCertificate?.certificateFile),
                (server.clientCertificate?.keyFile, theirs.clientCertificate?.keyFile),
            ]
            return files.compactMap { file, other in
                file == other ? file.map { ("the server \"\(server.name)\"", $0) } : nil
            }
        }
        let folder = merged.export.flatMap { $0 == theirs.export ? [("the export of the history", $0.folder)] : nil }
        return (named + (folder ?? [])).filter { !FileManager.default.fileExists(atPath: $0.1) }.map { owner, path in
            "\(owner) names \(path), which is not on this machine: certificates and folders are not in the file, so put "
                + "it there, or name another one"
        }
    }
}
