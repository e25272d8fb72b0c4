import PoolControl
import PoolHub
import PoolModel
import TerminalUI

extension HubCommand {
    /// What the hub is to be asked so that a person gets what they want; nil for what is no matter of the hub.
    init?(_ action: HubAction) {
        switch action {
        case .quit: return nil
        case .reconnect: self = .reconnect
        case .addServer, .editServer, .removeServer, .testServer, .beginDetection, .endDetection, .addDevice,
            .editDevice,
            .removeDevice, .selectDevice, .addPool, .editPool, .removePool, .setLimits, .applyPreset, .calibrate,
            .removeCalibration:
            self.init(ofConfiguration: action)
        case .acknowledge(let episode): self = .alerts(.acknowledge(episode))
        case .snooze(let episode, let seconds): self = .alerts(.snooze(episode, seconds: seconds))
        case .testAlerts: self = .alerts(.test)
        case .changeAlerts(let settings): self = .alerts(.replace(settings))
        case .setSigningSecret(let secret, let name): self = .alerts(.setSigningSecret(secret, name: name))
        case .settle(let conflict, let restoring): self = .settle(conflict: conflict, restoring: restoring)
        case .invite(let name, let seconds): self = .invite(name: name, validForSeconds: Int64(seconds))
        case .unpair(let watch): self = .unpair(watch)
        case .setLinkTrouble(let watch, let trouble):
            self = .links(trouble.isAny ? .set(watch: watch, LinkPatch(trouble)) : .clear(watch: watch))
        case .loadChart(let query):
            self = .history(
                .series(
                    device: query.deviceID, quantity: query.quantity, from: query.from, through: query.through,
                    points: query.points))
        case .loadReadings(let device, let place):
            self = .history(
                .page(
                    device: device,
                    before: place.map { HistoryPlace(sampledAt: $0.sampledAt, ordinal: $0.ordinal) },
                    limit: Self.pageLength))
        case .exportHistory(let fields): self = .history(.export(HistoryExport(fields)))
        case .deleteHistory(let device, let last, let expected):
            self = .history(
                .delete(
                    device: device, from: Timestamp(milliseconds: .min), through: last,
                    expected: expected))
        case .setHistory(let settings): self = .setHistory(settings)
        case .setExport(let settings): self = .setExport(settings)
        }
    }

    /// The readings of a page.
    static let pageLength = 100

    private init?(ofConfiguration action: HubAction) {
        switch action {
        case .addServer(let fields): self = .addServer(ServerPatch(fields))
        case .editServer(let server, let fields): self = .editServer(server, ServerPatch(fields))
        case .removeServer(let server, let withDevices): self = .removeServer(server, cascading: withDevices)
        case .testServer(let server): self = .testServer(server)
        case .beginDetection(let server, let seconds):
            self = .detection(.begin(server, seconds: seconds))
        case .endDetection: self = .detection(.end)
        case .addDevice(let fields): self = .addDevice(DevicePatch(fields))
        case .editDevice(let device, let fields): self = .editDevice(device, DevicePatch(fields))
        case .removeDevice(let device): self = .removeDevice(device)
        case .selectDevice(let device): self = .selectDevice(device)
        case .addPool(let name, let volume): self = .addPool(PoolPatch(name: name, volume: volume))
        case .editPool(let pool, let name, let volume):
            self = .editPool(pool, PoolPatch(name: name, volume: volume))
        case .removePool(let pool): self = .removePool(pool)
        case .setLimits(let target, let quantity, let limits): self = .setLimits(LimitsOwner(target), quantity, limits)
        case .applyPreset(let key, let target): self = .applyPreset(key, LimitsOwner(target))
        case .calibrate(let device, let quantity, let calibration, let isForced):
            self = .addCalibration(
                device, quantity, calibration, isForced: isForced, dropsOldest: isForced)
        case .removeCalibration(let device, let quantity, let validFrom):
            self = .removeCalibration(device, quantity, validFrom: validFrom)
        default: return nil
        }
    }

    /// Whether other orders need not wait for it.
    var standsAside: Bool {
        switch self {
        case .testServer, .history: true
        default: false
        }
    }
}

extension ServerPatch {
    /// All of a server, as a person wants it.
    init(_ fields: ServerFields) {
        self.init()
        let server = fields.server
        name = server.name
        host = server.host
        port = server.port
        usesTLS = server.usesTLS
        username = server.username ?? ""
        caFile = server.caFile ?? ""
        clientCertificate =
            server.clientCertificate ?? Server.ClientCertificate(certificateFile: "", keyFile: "")
        protocolVersion = server.protocolVersion
        announcementPrefix = server.announcementPrefix ?? ""
        switch fields.password {
        case .keep: break
        case .remove: password = ""
        case .set(let text): password = text
        }
    }
}

extension DevicePatch {
    /// All of a device, as a person wants it.
    init(_ fields: DeviceFields) {
        self.init()
        name = fields.name
        serverID = fields.serverID
        topic = fields.topic
        deviceType = fields.deviceType
        expectedIntervalSeconds = fields.expectedIntervalSeconds
        poolID = fields.poolID.map { .set($0) } ?? .remove
        mapping = fields.mapping.map { .set($0) } ?? .remove
    }
}

extension PoolPatch {
    fileprivate init(name: String, volume: Double?) {
        self.init()
        self.name = name
        self.volume = volume ?? 0
    }
}

extension LimitsOwner {
    fileprivate init(_ target: LimitsTarget) {
        switch target {
        case .device(let id): self = .device(id)
        case .pool(let id): self = .pool(id)
        }
    }
}

extension HistoryExport {
    fileprivate init(_ fields: ExportFields) {
        let values: Values =
            switch fields.values {
            case .corrected: .corrected
            case .raw: .raw
            case .both: .both
            }
        self.init(
            path: fields.path, format: fields.format, values: values,
            devices: fields.deviceID.map { [$0] } ?? [], from: fields.from, replaces: fields.replaces)
    }
}

extension LinkPatch {
    /// The length of a cut that somebody will end by hand, in seconds: a week.
    private static let openCutSeconds = 604_800

    /// All of a disturbance, as a person wants it.
    init(_ trouble: LinkTrouble) {
        self.init()
        drop = Double(trouble.dropPercent) / 100
        duplicate = Double(trouble.duplicatePercent) / 100
        reorder = Double(trouble.reorderPercent) / 100
        delayMilliseconds = trouble.delayMilliseconds
        cutSeconds = trouble.isCut ? Self.openCutSeconds : 0
    }
}
