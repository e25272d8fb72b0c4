import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncTransport

/// A running hub, for the commands.
struct RunningTarget: CommandTarget {
    let folder: HubFolder
    let editor: ConfigurationEditor
    let water: WaterCommandHandler
    let reducer: HubReducer
    let transport: HubTransport
    let brokers: BrokerConnections
    let alerts: AlertService
    let detection: DetectionService
    let links: LinkFaultRegistry
    let files: FileSharing
    let observer: HubStateObserver
    private let cares: PoolCareService
    private let maintenance: HistoryMaintenance

    /// Collects the parts of a hub that carry out commands.
    init(
        folder: HubFolder, reducer: HubReducer, transport: HubTransport, editor: ConfigurationEditor,
        maintenance: HistoryMaintenance, brokers: BrokerConnections, alerts: AlertService, files: FileSharing,
        ingest: Ingest, detection: DetectionService, water: WaterCommandHandler, cares: PoolCareService
    ) {
        self.folder = folder
        self.reducer = reducer
        self.transport = transport
        self.editor = editor
        self.maintenance = maintenance
        self.brokers = brokers
        self.alerts = alerts
        self.detection = detection
        self.files = files
        self.water = water
        self.cares = cares
        links = LinkFaultRegistry(transport: transport)
        observer = HubStateObserver(
            reducer: reducer, transport: transport, editor: editor,
            configured: ConfiguredState(editor: editor, folder: folder), history: folder.history, ingest: ingest,
            brokers: brokers, links: links, alerts: alerts, detection: detection, cares: cares)
    }

    var running: RunningTarget { self }

    func watches() async throws -> [PairedWatch] { try await transport.status().watches.map(\.watch) }

    func unpair(_ watch: PairedWatch, author: String?) async throws {
        try await transport.unpair(watch.key, author: author)
        files.forget(watch.key)
        reducer.noteConfigurationChange()
    }

    func noteEdit() async {
        // A changed password is no change of a cell.
        reducer.noteConfigurationChange()
        await observer.forget()
        cares.wake()
    }

    // Who has logged a dose must not read "You can swim" afterwards.
    func noteDose() async { await cares.refresh() }

    func history(_ request: HistoryRequest) async throws -> HistoryAnswer { try await maintenance.perform(request) }

    func alertReport() async throws -> AlertReport { try await alerts.report() }

    func files() async throws -> [SharedFile] { try files.list(try await watches()) }

    func state() async throws -> HubState { try await observer.listed() }

    func names() async throws -> HubState { try await observer.named() }
}
