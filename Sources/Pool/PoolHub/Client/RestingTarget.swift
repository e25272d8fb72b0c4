import Logging
import Platform
import PoolControl
import PoolModel
import PoolStore
import Service
import SyncCore
import SyncStore

/// The folder of a hub that does not run, for one command.
final class RestingTarget: CommandTarget {
    let folder: HubFolder
    let editor: ConfigurationEditor
    /// Notices for the user, in order.
    let notices = Lock<[String]>([])
    private let ledger: RestingLedger

    /// Opens the ledger of a folder.
    ///
    /// - Throws: `StoreError`.
    init(_ folder: HubFolder) throws {
        self.folder = folder
        ledger = try RestingLedger(folder.store)
        editor = ConfigurationEditor(ledger: ledger, secrets: folder.secrets)
    }

    var running: RunningTarget {
        get throws { throw ServiceFailure.notRunning(HubFolder.service(path: folder.folder.path)) }
    }

    var water: WaterCommandHandler { WaterCommandHandler(resting: editor, history: folder.history) }

    func watches() -> [PairedWatch] { ledger.watches.map(\.watch) }

    func unpair(_ watch: PairedWatch, author: String?) throws {
        try ledger.unpair(watch.key)
        do {
            try FileSharing.forget(watch.key, in: folder)
        } catch {
            note(["what was shared with watch \(watch.name) is listed still: \(error)"])
        }
    }

    func noteEdit() async throws { note(try await editor.repair()) }

    // Nothing shows what follows from it before a hub runs.
    func noteDose() async {}

    func history(_ request: HistoryRequest) async throws -> HistoryAnswer {
        let maintenance = HistoryMaintenance(history: folder.history, logger: Logger(label: "poolsensors"))
        maintenance.use(try await editor.configuration().configuration)
        return try await maintenance.perform(request)
    }

    func alertReport() async throws -> AlertReport {
        try AlertReport(resting: folder.history.alerts, try await editor.configuration().configuration)
    }

    func files() throws -> [SharedFile] { try FileSharing.list(folder, watches()) }

    func state() async throws -> HubState {
        try await state { try await $0.state(history: folder.history, isResting: true) }
    }

    func names() async throws -> HubState { try await state { try await $0.state(history: nil) } }

    private func state(_ make: (ConfiguredState) async throws -> HubState) async throws -> HubState {
        var state = try await make(ConfiguredState(editor: editor, folder: folder))
        state.watches = ledger.watches.map { WatchConnection($0, now: nil) }
        return state
    }

    private func note(_ sentences: [String]) { notices.withLock { $0 += sentences } }
}
