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
    func edit(_ request: HubRequest) async throws -> HubAnswer? {
        switch request {
        case .addServer(let draft): return try await add(draft)
        case .editServer(let match, let draft): return try await edit(match, draft)
        case .removeServer(let match, let cascading): return try await remove(match, cascading: cascading)
        case .addDevice(let draft):
            var generator = SystemRandomNumberGenerator()
            let id = DeviceID(using: &generator)
            return try await change { old in
                let device = try draft.device(id: id, in: old)
                return (try old.adding(device), "added device \(device.name) on \(device.topic)")
            }
        case .editDevice(let match, let draft):
            return try await change { old in
                let device = try draft.applied(to: try old.device(matching: match), in: old)
                return (try old.replacing(device), "changed device \(device.name)")
            }
        case .removeDevice(let match):
            return try await change { old in
                let device = try old.device(matching: match)
                return (try old.removing(device: device.id), "removed device \(device.name)")
            }
        case .selectDevice(let match):
            return try await change { old in
                guard let match else { return (old.selectingNothing(), "no device is selected") }
                let device = try old.device(matching: match)
                return (try old.selecting(device: device.id), "selected device \(device.name)")
            }
        case .addPool(let draft): return try await addPool(draft)
        case .editPool(let match, let draft): return try await editPool(match, draft)
        case .removePool(let match): return try await removePool(match)
        case .setLimits(let owner, let quantity, let limits): return try await setLimits(of: owner, quantity, limits)
        case .clearLimits(let owner, let quantities): return try await clearLimits(of: owner, quantities)
        case .applyPreset(let key, let owner): return try await applyPreset(key, to: owner)
        case .addCalibration(let match, let quantity, let calibration, let isForced, let dropsOldest):
            return try await addCalibration(
                of: match, quantity, calibration, isForced: isForced, dropsOldest: dropsOldest)
        case .removeCalibration(let match, let quantity, let validFrom):
            return try await removeCalibration(of: match, quantity, validFrom: validFrom)
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
        case .exportConfiguration, .testServer, .invite, .unpair, .report, .log, .diff, .restoreRevision, .backUp,
            .history, .alerts, .detection, .links, .share, .reconnect, .look, .outcome:
            return nil
        }
    }

    // MARK: - Servers, whose passwords are kept apart

    private func add(_ draft: ServerDraft) async throws -> HubAnswer {
        var generator = SystemRandomNumberGenerator()
        let id = ServerID(using: &generator)
        let server = try draft.server(id: id)
        // The password first: a server without its password would be tried with the wrong one.
        try secrets.setPassword(draft.password.flatMap { $0.isEmpty ? nil : $0 }, of: id)
        let answer = try await change { old in (try old.adding(server), "added server \(server.name)") }
        if case .refused = answer { try secrets.setPassword(nil, of: id) }
        return answer
    }

    private func edit(_ match: String, _ draft: ServerDraft) async throws -> HubAnswer {
        let server = try await configuration().configuration.server(matching: match)
        let id = server.id
        let former = try secrets.password(of: id)
        // The hub connects as soon as the configuration has changed: an old password must not go to a new address.
        let isMoved = draft.password != nil && !draft.applied(to: server).isReached(like: server)
        if isMoved { try secrets.setPassword(nil, of: id) }
        let answer: HubAnswer
        do {
            answer = try await change { old in
                guard let server = old.server(id) else { throw ConfigurationError.missing(.server, "\(id)") }
                let edited = draft.applied(to: server)
                return (try old.replacing(edited), "changed server \(edited.name)")
            }
        } catch {
            if isMoved { try secrets.setPassword(former, of: id) }
            throw error
        }
        if case .done = answer, let password = draft.password {
            try secrets.setPassword(password.isEmpty ? nil : password, of: id)
        } else if isMoved {
            try secrets.setPassword(former, of: id)
        }
        return answer
    }

    private func remove(_ match: String, cascading: Bool) async throws -> HubAnswer {
        let old = try await configuration().configuration
        let server = try old.server(matching: match)
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
    ) async throws -> HubAnswer {
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
