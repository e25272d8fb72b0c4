import PoolControl
import PoolModel
import SyncCore
import SyncTransport

/// What a desk needs of a hub: its cells, and a way to change them.
///
/// A running hub and one at rest differ in nothing else.
protocol HubLedger: Sendable {
    /// What it holds now.
    func contents() async throws -> LedgerContents
    /// Changes cells, all or none, if the version still is the expected one.
    func transact(_ changes: [CellChange], expected: Version) async throws
    /// Settles an open conflict: puts back the value that lost, with all of its edit, or puts it aside.
    func settle(_ conflict: RandomID, restoring: Bool) async throws
}

/// What a hub holds at a moment.
struct LedgerContents: Sendable {
    /// All cells, deleted ones included.
    var cells: SortedMap<CellKey, Cell>
    /// Their version.
    var version: Version
    /// The open conflicts, in the order of their names.
    var conflicts: [Conflict]

    /// The entries of the configuration.
    var entries: [ConfigurationEntry] { ConfigurationEntry.entries(in: cells) }
}

/// Does what commands ask of the configuration: one request, one transaction.
struct ConfigurationEditor: Sendable {
    /// The times that an edit is tried again because somebody else edited in between.
    private static let attemptLimit = 8

    let ledger: any HubLedger
    let secrets: Secrets

    /// The configuration now, and what is wrong with it as it is stored.
    func configuration() async throws -> (configuration: PoolConfiguration, problems: [ConfigurationProblem]) {
        var problems: [ConfigurationProblem] = []
        let configuration = PoolConfiguration(cells: try await ledger.contents().cells, problems: &problems)
        return (configuration, problems)
    }

    /// Does an edit; nil if the request is not one.
    func edit(_ request: HubCommand) async throws -> HubReply? {
        switch request {
        case .addServer(let patch): return try await add(patch)
        case .editServer(let id, let patch): return try await edit(id, patch)
        case .removeServer(let id, let cascading): return try await remove(id, cascading: cascading)
        case .addDevice(let patch):
            var generator = SystemRandomNumberGenerator()
            let id = DeviceID(using: &generator)
            return try await change { old in
                let device = try patch.device(id: id, in: old)
                return (try old.adding(device), "added device \(device.name) on \(device.topic)")
            }
        case .editDevice(let id, let patch):
            return try await change { old in
                let device = try patch.applied(to: try old.known(id), in: old)
                return (try old.replacing(device), "changed device \(device.name)")
            }
        case .removeDevice(let id):
            return try await change { old in
                let device = try old.known(id)
                return (try old.removing(device: device.id), "removed device \(device.name)")
            }
        case .selectDevice(let id):
            return try await change { old in
                guard let id else { return (old.selectingNothing(), "no device is selected") }
                let device = try old.known(id)
                return (try old.selecting(device: device.id), "selected device \(device.name)")
            }
        case .addPool(let patch): return try await addPool(patch)
        case .editPool(let id, let patch): return try await editPool(id, patch)
        case .removePool(let id): return try await removePool(id)
        case .setLimits(let owner, let quantity, let limits): return try await setLimits(of: owner, quantity, limits)
        case .clearLimits(let owner, let quantities): return try await clearLimits(of: owner, quantities)
        case .applyPreset(let key, let owner): return try await applyPreset(key, to: owner)
        case .addCalibration(let id, let quantity, let calibration, let isForced, let dropsOldest):
            return try await addCalibration(
                of: id, quantity, calibration, isForced: isForced, dropsOldest: dropsOldest)
        case .removeCalibration(let id, let quantity, let validFrom):
            return try await removeCalibration(of: id, quantity, validFrom: validFrom)
        case .setHistory(let settings):
            return try await change { old in
                (try old.keeping(settings), "readings are kept \(settings.rawDays) days")
            }
        case .setExport(let settings):
            return try await change { old in
                let sentence = settings.map { "\($0.period.rawValue) exports go to \($0.folder)" }
                return (try old.exporting(settings), sentence ?? "nothing is exported by itself")
            }
        case .settle(let conflict, let restoring): return try await settle(conflict, restoring: restoring)
        case .importConfiguration(let wish): return try await takeIn(wish)
        case .exportConfiguration, .testServer, .invite, .unpair, .state, .names, .log, .diff, .restoreRevision,
            .backUp,
            .history, .alerts, .detection, .links, .share, .reconnect, .look, .outcome:
            return nil
        }
    }

    // MARK: - Servers, whose passwords are kept apart

    private func add(_ patch: ServerPatch) async throws -> HubReply {
        var generator = SystemRandomNumberGenerator()
        let id = ServerID(using: &generator)
        let server = try patch.server(id: id)
        // The password first: a server without its password would be tried with the wrong one.
        try secrets.setPassword(patch.password.flatMap { $0.isEmpty ? nil : $0 }, of: id)
        let answer = try await change { old in (try old.adding(server), "added server \(server.name)") }
        if case .refused = answer { try secrets.setPassword(nil, of: id) }
        return answer
    }

    private func edit(_ id: ServerID, _ patch: ServerPatch) async throws -> HubReply {
        let server = try await configuration().configuration.known(id)
        let former = try secrets.password(of: id)
        // The hub connects as soon as the configuration has changed: an old password must not go to a new address.
        let isMoved = patch.password != nil && !patch.applied(to: server).isReached(like: server)
        if isMoved { try secrets.setPassword(nil, of: id) }
        let answer: HubReply
        do {
            answer = try await change { old in
                let edited = patch.applied(to: try old.known(id))
                return (try old.replacing(edited), "changed server \(edited.name)")
            }
        } catch {
            if isMoved { try secrets.setPassword(former, of: id) }
            throw error
        }
        if case .done = answer, let password = patch.password {
            try secrets.setPassword(password.isEmpty ? nil : password, of: id)
        } else if isMoved {
            try secrets.setPassword(former, of: id)
        }
        return answer
    }

    private func remove(_ id: ServerID, cascading: Bool) async throws -> HubReply {
        let old = try await configuration().configuration
        let server = try old.known(id)
        let devices = old.devices(of: server.id).map(\.name)
        guard devices.isEmpty || cascading else {
            return .serverHasDevices(server: server.name, devices: devices)
        }
        let answer = try await change { old in
            (try old.removing(server: server.id, cascading: cascading), "removed server \(server.name)")
        }
        if case .done = answer { try secrets.setPassword(nil, of: server.id) }
        return answer
    }

    // MARK: - Integrity

    /// Mends what merges of edits have left broken, by changes of the hub's own.
    ///
    /// - Parameter contents: What the hub holds, nil to look now.
    /// - Returns: What was mended, in sentences; none if nothing was broken.
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
        // Somebody keeps changing it, and each change brings the next look.
        return []
    }

    // MARK: - One transaction

    /// Makes an edit on the newest configuration, again if another one came in between.
    func change(
        _ edit: (PoolConfiguration) throws -> (PoolConfiguration, String)
    ) async throws -> HubReply {
        for _ in 0..<Self.attemptLimit {
            let contents = try await ledger.contents()
            var problems: [ConfigurationProblem] = []
            let old = PoolConfiguration(cells: contents.cells, problems: &problems)
            let (new, sentence) = try edit(old)
            let changes = new.entries(changing: old).map(\.cellChange)
            do {
                if !changes.isEmpty { try await ledger.transact(changes, expected: contents.version) }
                return .done(sentence)
            } catch LinkError.refused(.versionMoved) {
                continue
            }
        }
        return .refused("the configuration kept changing meanwhile; try again")
    }
}
