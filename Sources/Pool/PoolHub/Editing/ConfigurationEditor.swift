import PoolControl
import PoolModel
import SyncCore
import SyncTransport

/// Edits the configuration: one command, one transaction.
struct ConfigurationEditor: Sendable {
    /// The maximum number of attempts of an edit, if others change the configuration in between.
    private static let attemptLimit = 8

    let ledger: any HubLedger
    let secrets: Secrets

    /// The current configuration, and the problems of the stored one.
    func configuration() async throws -> (configuration: PoolConfiguration, problems: [ConfigurationProblem]) {
        var problems: [ConfigurationProblem] = []
        let configuration = PoolConfiguration(cells: try await ledger.contents().cells, problems: &problems)
        return (configuration, problems)
    }

    /// Carries out an edit.
    ///
    /// - Returns: What was done, or why it was not.
    /// - Throws: The error in the edit, in words, and the errors of the ledger.
    func edit(_ edit: HubEdit) async throws -> HubReply {
        var generator = SystemRandomNumberGenerator()
        switch edit {
        case .addServer(let patch): return try await servers.add(patch)
        case .editServer(let id, let patch): return try await servers.edit(id, patch)
        case .removeServer(let id, let cascading): return try await servers.remove(id, cascading: cascading)
        case .addDevice(let patch):
            let id = DeviceID(using: &generator)
            return try await change { try .add(patch, as: id, to: $0) }
        case .editDevice(let id, let patch): return try await change { try .edit(id, patch, in: $0) }
        case .removeDevice(let id): return try await change { try .remove(id, from: $0) }
        case .selectDevice(let id): return try await change { try .select(id, in: $0) }
        case .addPool(let patch):
            let id = PoolID(using: &generator)
            return try await change { try .add(patch, as: id, to: $0) }
        case .editPool(let id, let patch): return try await change { try .edit(id, patch, in: $0) }
        case .removePool(let id): return try await change { try .remove(id, from: $0) }
        case .setLimits(let owner, let quantity, let limits):
            return try await change { try .setLimits(of: owner, quantity, limits, in: $0) }
        case .clearLimits(let owner, let quantities):
            return try await change { try .clearLimits(of: owner, quantities, in: $0) }
        case .replaceLimits(let owner, let limits):
            return try await change { try .replaceLimits(of: owner, limits, in: $0) }
        case .applyPreset(let key, let owner):
            return try await change { try .applyPreset(key, to: owner, in: $0) }
        case .addCalibration(let id, let quantity, let calibration, let isForced, let dropsOldest):
            return try await change {
                try .calibrate(
                    id, quantity, by: calibration, isForced: isForced, dropsOldest: dropsOldest, in: $0)
            }
        case .removeCalibration(let id, let quantity, let validFrom):
            return try await change { try .removeCalibration(of: id, quantity, validFrom: validFrom, in: $0) }
        case .setHistory(let settings): return try await change { try .keep(settings, in: $0) }
        case .setExport(let settings): return try await change { try .export(settings, in: $0) }
        case .changeExport(let period, let format):
            return try await change { old in
                guard var settings = old.export else {
                    throw RequestProblem(
                        "the periodic export is off: switch it on with `poolsensors history auto` on the hub's machine")
                }
                (settings.period, settings.format) = (period, format)
                return try .export(settings, in: old)
            }
        case .settle(let conflict, let restoring):
            return try await ConflictSettler(ledger: ledger).settle(conflict, restoring: restoring)
        case .importConfiguration(let request):
            return try await ConfigurationTransfer(ledger: ledger, secrets: secrets).performImport(request)
        }
    }

    /// The same editor on behalf of somebody, for one revision only if it is given.
    func authored(by author: String, ifRevision revision: UInt64?) -> ConfigurationEditor {
        ConfigurationEditor(
            ledger: AuthoredLedger(base: ledger, author: author, revision: revision), secrets: secrets)
    }

    private var servers: ServerEditor { ServerEditor(editor: self, secrets: secrets) }

    // MARK: - Integrity

    /// Repairs inconsistencies that merges of edits left, by edits of the hub.
    ///
    /// - Parameter contents: The contents of the ledger; nil to read them.
    /// - Returns: The repairs, in sentences; empty if there were none.
    /// - Throws: `LinkError`.
    func repair(_ contents: LedgerContents? = nil) async throws -> [String] {
        var contents = contents
        for _ in 0..<Self.attemptLimit {
            let current: LedgerContents
            if let contents { current = contents } else { current = try await ledger.contents() }
            let repairs = PoolConfiguration.repairs(of: current.entries)
            guard !repairs.isEmpty else { return [] }
            do {
                try await ledger.transact(repairs.map(\.change.cellChange), expected: current.version)
                return repairs.map(\.reason)
            } catch LinkError.refused(.versionMoved) {
                contents = nil
            }
        }
        // The configuration keeps changing; each change starts another repair.
        return []
    }

    // MARK: - One transaction

    /// Applies an edit to the newest configuration, and repeats it if the configuration changed in between.
    ///
    /// - Parameter edit: Returns the edit of a configuration.
    /// - Returns: What was done, or why it was not.
    /// - Throws: The errors of `edit` and of the ledger.
    func change(_ edit: (PoolConfiguration) throws -> ConfigurationEdit) async throws -> HubReply {
        for _ in 0..<Self.attemptLimit {
            let contents = try await ledger.contents()
            var problems: [ConfigurationProblem] = []
            let old = PoolConfiguration(cells: contents.cells, problems: &problems)
            let edit = try edit(old)
            let changes = edit.configuration.entries(changing: old).map(\.cellChange)
            do {
                if !changes.isEmpty { try await ledger.transact(changes, expected: contents.version) }
                return .done(edit.sentence)
            } catch LinkError.refused(.versionMoved) {
                continue
            }
        }
        return .refused("the configuration kept changing; try again")
    }

    /// Sets cells, regardless of their current values.
    ///
    /// - Throws: `LinkError`.
    func put(_ changes: [ConfigurationChange]) async throws {
        for _ in 0..<Self.attemptLimit {
            let version = try await ledger.contents().version
            do {
                return try await ledger.transact(changes.map(\.cellChange), expected: version)
            } catch LinkError.refused(.versionMoved(_)) {
                continue
            }
        }
        throw LinkError.refused(.versionMoved(try await ledger.contents().version))
    }
}
