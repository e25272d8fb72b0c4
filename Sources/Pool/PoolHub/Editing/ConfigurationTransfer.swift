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

/// Exports the configuration to another hub, and imports that of another hub.
struct ConfigurationTransfer: Sendable {
    let ledger: any HubLedger
    let secrets: Secrets
    /// The maximum number of attempts of an import, if others change the configuration in between.
    private static let importAttemptLimit = 8

    /// Writes the configuration and its secrets to a file for another hub.
    ///
    /// - Parameters:
    ///   - request: The file and the key.
    ///   - hub: The first digits of this hub's public key.
    /// - Returns: The report.
    /// - Throws: `HistoryError` if the file cannot be written, ``SecretsError`` if the secrets cannot be read.
    func export(_ request: ConfigurationExport, hub: String) async throws -> HubReply {
        if let flaw = request.key.derivation.flaw { return .refused("the new file would have a key with \(flaw)") }
        let contents = try await ledger.contents()
        var problems: [ConfigurationProblem] = []
        let configuration = PoolConfiguration(cells: contents.cells, problems: &problems)
        let revision = contents.version.revision
        let exported = try ExportedConfiguration(configuration, secrets, hub: hub, revision: revision, at: .now)
        let sealed = try SealedExport(try CanonicalJSON.encode(exported), with: request.key)
        try sealed.write(to: request.path, replaces: request.replaces)
        return .configurationExported(
            ConfigurationExportReport(
                path: request.path, revision: revision, servers: configuration.servers.count,
                devices: configuration.devices.count, pools: configuration.pools.count,
                secrets: exported.passwords.count + exported.signingSecrets.count, problems: problems.map { "\($0)" }))
    }

    /// Imports the configuration of another hub in one transaction, or previews the import.
    ///
    /// New secrets are stored before the configuration changes, and changed ones after it. A secret whose address changes
    /// is removed before, because the hub connects as soon as the configuration has changed. So no secret is ever sent to
    /// another address. A crash in between may leave a secret missing; the same import then completes it.
    ///
    /// - Throws: ``ConfigurationExportError`` if the file cannot be read, ``SecretsError`` if the secrets cannot be read,
    ///   and the errors of the store.
    func performImport(_ request: ConfigurationImport) async throws -> HubReply {
        let theirs = try ExportedConfiguration(reading: request.path, with: request.key)
        for _ in 0..<Self.importAttemptLimit {
            let draft = try ImportDraft(theirs, into: try await ledger.contents(), secrets, request)
            guard request.applies else { return .configurationImport(draft.report) }
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
            // The secrets of servers that were not added are removed. After other failures the change may be durable.
            for name in before.keys { before[name] = .some(moved[name] ?? nil) }
            try secrets.keep(before)
            throw LinkError.refused(fault)
        }
        try secrets.keep(draft.secrets.replaced)
    }
}

/// The result of an import on the newest configuration of this hub.
private struct ImportDraft {
    let merge: ConfigurationMerge
    let secrets: SecretsMerge
    /// The version of this hub's configuration.
    let version: Version
    private(set) var report: ConfigurationImportReport

    init(
        _ exported: ExportedConfiguration, into contents: LedgerContents, _ own: Secrets,
        _ request: ConfigurationImport
    ) throws {
        var problems: [ConfigurationProblem] = []
        let theirs = exported.configuration(&problems)
        let mine = PoolConfiguration(entries: contents.entries)
        merge = ConfigurationMerge(theirs, into: mine, by: request.policy)
        secrets = SecretsMerge(
            exported, into: try own.secrets(named: mine.secretNames + merge.merged.secretNames), with: merge)
        version = contents.version
        let rows = merge.rows + secrets.rows
        let undecided = rows.count { $0.outcome == .undecided }
        let question =
            undecided == 0
            ? []
            : [
                "\(undecided) \(undecided == 1 ? "thing differs" : "things differ"): say whose to keep, with --keep mine "
                    + "or --keep theirs"
            ]
        report = ConfigurationImportReport(
            path: request.path, hub: exported.hub, writtenAt: exported.writtenAt, fileRevision: exported.revision,
            policy: request.policy,
            rows: ConfigurationMerge.Outcome.allCases.flatMap { outcome in rows.filter { $0.outcome == outcome } },
            sameCount: merge.sameCount, changeCount: merge.changes.count,
            secretCount: secrets.added.count + secrets.replaced.count,
            obstacles: merge.clashes.map { "\($0)" } + question + Self.unsafe(problems, to: request.policy),
            notes: problems.map { "\($0)" } + merge.missingFiles, revisionBefore: contents.version.revision)
    }
}

extension ImportDraft {
    /// Why nothing of this hub may be removed: it may be in the part of the file that cannot be read.
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
    /// The files and folders that the other side's configuration names and that do not exist here, in sentences.
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
