import Platform
import PoolControl
import PoolModel
import Testing

@testable import PoolWeb
@testable import WebServer

/// A hub that is a state: it carries out the edits of pools and devices, and remembers what it was asked.
final class FakeHub: HubAsking {
    struct Gone: Error {}

    private struct Contents {
        var state: HubState
        var isRunning = true
        var commands: [HubCommand] = []
        var rows: [HistoryRow] = []
        var doses: [Dose] = []
        var notices: [AlertNotice] = []
        var found: DetectionProgress?
        /// The secrets of services for phones and of webhooks, by what they are of.
        var secrets: [String: String] = [:]
        /// Done before the next edit, once: another edit that comes in between.
        var interruption: (@Sendable (inout HubState) -> Void)?
    }

    private let contents: Lock<Contents>

    init(_ state: HubState) { contents = Lock(Contents(state: state)) }

    /// The commands that were sent, without looks.
    var commands: [HubCommand] {
        contents.withLock(\.commands).filter { if case .look = $0 { false } else { true } }
    }

    var state: HubState { contents.withLock(\.state) }

    func change(_ body: @Sendable (inout HubState) -> Void) {
        contents.withLock {
            body(&$0.state)
            $0.state.change += 1
        }
    }

    func stop() { contents.withLock { $0.isRunning = false } }
    func start() { contents.withLock { $0.isRunning = true } }
    func interrupt(_ body: @escaping @Sendable (inout HubState) -> Void) {
        contents.withLock { $0.interruption = body }
    }
    func log(_ doses: [Dose]) { contents.withLock { $0.doses = doses } }
    func notice(_ notices: [AlertNotice]) { contents.withLock { $0.notices = notices } }
    func find(_ found: DetectionProgress) {
        contents.withLock {
            $0.found = found
            $0.state.detection = found
            $0.state.change += 1
        }
    }
    var secrets: [String: String] { contents.withLock(\.secrets) }
    func keep(_ rows: [HistoryRow]) { contents.withLock { $0.rows = rows } }

    func perform(_ command: HubCommand) async throws -> HubReply {
        try contents.withLock { contents in
            guard contents.isRunning else { throw Gone() }
            contents.commands.append(command)
            return Self.answer(command, &contents)
        }
    }

    private static func answer(_ command: HubCommand, _ contents: inout Contents) -> HubReply {
        switch command {
        case .look(let request):
            return .look(request.after == contents.state.change ? nil : contents.state, events: [])
        case .edited(_, let revision, let inner):
            if let interruption = contents.interruption {
                interruption(&contents.state)
                contents.state.revision += 1
                contents.state.change += 1
                contents.interruption = nil
            }
            if let revision, revision != contents.state.revision { return .revisionMoved(contents.state.revision) }
            contents.state.revision += 1
            contents.state.change += 1
            switch inner {
            case .alerts(let request): return alert(request, &contents)
            case .edit(let edit):
                if let reply = settle(edit, &contents) { return reply }
            default: break
            }
            return edit(inner, &contents.state)
        case .testServer: return .trial(code: .success, reason: nil)
        case .tryServer(_, let patch):
            return patch.host == "gone.test"
                ? .trial(code: .tlsHost, reason: "the certificate is for a.test, b.test")
                : .trial(code: .success, reason: nil)
        case .detection:
            return contents.found.map { .detection($0) } ?? .refused("no detection was begun")
        case .history(.size):
            return .history(
                .size(
                    HistoryExtent(
                        readings: 5000, devices: [], fileByteCount: 70_000, journalByteCount: 0, freeByteCount: 0,
                        waitingCount: 0, kept: contents.state.history)))
        case .history(.delete(_, _, _, nil)): return .history(.deletion(readings: 1234, isDone: false))
        case .history(.page(let device, let before, let limit)):
            let rows = contents.rows.filter { row in
                row.deviceID == device
                    && before.map { (row.sampledAt, row.ordinal) < ($0.sampledAt, $0.ordinal) } ?? true
            }
            return .history(.page(Array(rows.prefix(limit))))
        case .log: return .log([])
        case .doses(.add(let dose)):
            contents.doses.insert(dose, at: 0)
            return .dosed(dose, isNew: true)
        case .doses(.list(let pool, let limit)):
            return .doses(Array(contents.doses.filter { pool == nil || $0.poolID == pool }.prefix(limit)))
        case .doses(.remove(let id)):
            contents.doses.removeAll { $0.id == id }
            return .done("removed the dose")
        case .alerts(.report(let count)):
            var report = contents.state.alerts
            report.notices = Array((contents.notices + report.notices).prefix(count))
            return .alerts(report)
        case .forecast: return .forecasts(device: "Lagoon", SampleHub.forecasts)
        case .advice(let pool, let numbers):
            return .advice(SampleHub.advice(of: pool, numbers))
        default: return .refused("the fake hub does not know \(command)")
        }
    }

    private static func alert(_ request: AlertRequest, _ contents: inout Contents) -> HubReply {
        switch request {
        case .change(let patch):
            let old = contents.state.alerts.settings
            guard let new = try? patch.applied(to: old, in: PoolConfiguration()) else { return .refused("no such") }
            contents.state.alerts.settings = new
        case .setSigningSecret(let secret, let name): contents.secrets["webhook/\(name)"] = secret
        case .setPhoneSecret(let secret, let channel, let field, let server):
            contents.secrets["\(channel.rawValue)/\(field)/\(server)"] = secret
        default: break
        }
        return .done("done")
    }

    /// Carries out an edit of servers, devices and the history; nil if it is another one.
    private static func settle(_ edit: HubEdit, _ contents: inout Contents) -> HubReply? {
        switch edit {
        case .addServer(let patch):
            let id = ServerID(high: 3, low: UInt64(contents.state.servers.count + 10))
            guard let server = try? patch.server(id: id) else { return .refused("it lacks something") }
            contents.state.servers.append(ServerState(server, hasPassword: patch.password?.isEmpty == false))
        case .editServer(let id, let patch):
            guard let index = contents.state.servers.firstIndex(where: { $0.id == id }) else { return .refused("none") }
            contents.state.servers[index].server = patch.applied(to: contents.state.servers[index].server)
            if let password = patch.password { contents.state.servers[index].hasPassword = !password.isEmpty }
        case .removeServer(let id, let isCascading):
            let devices = contents.state.devices.filter { $0.device.serverID == id }.map(\.name)
            guard devices.isEmpty || isCascading else { return .serverHasDevices(server: "Home", devices: devices) }
            contents.state.servers.removeAll { $0.id == id }
        case .removeDevice(let id): contents.state.devices.removeAll { $0.id == id }
        case .setHistory(let settings): contents.state.history = settings
        case .setExport(let settings): contents.state.export = settings
        case .changeExport(let period, let format):
            guard contents.state.export != nil else { return .refused("the periodic export is off") }
            contents.state.export?.period = period
            contents.state.export?.format = format
        default: return nil
        }
        return .done("done")
    }

    private static func edit(_ command: HubCommand, _ state: inout HubState) -> HubReply {
        switch command {
        case .edit(.editPool(let id, let patch)):
            guard let index = state.pools.firstIndex(where: { $0.id == id }) else { return .refused("no pool") }
            state.pools[index] = patch.applied(to: state.pools[index])
            return .done("changed pool")
        case .edit(.replaceLimits(.device(let id), let limits)):
            guard let index = state.devices.firstIndex(where: { $0.id == id }) else { return .refused("no device") }
            state.devices[index].device.limits = limits
            return .done("changed limits")
        case .edit(.editDevice(let id, let patch)):
            guard let index = state.devices.firstIndex(where: { $0.id == id }) else { return .refused("no device") }
            if let name = patch.name { state.devices[index].device.name = name }
            if let topic = patch.topic { state.devices[index].device.topic = topic }
            if let seconds = patch.expectedIntervalSeconds {
                state.devices[index].device.expectedIntervalSeconds = seconds
                state.devices[index].device.learnsInterval = patch.learnsInterval
            }
            return .done("changed device")
        case .edit(.addCalibration(let id, let quantity, let calibration, _, _)):
            guard let index = state.devices.firstIndex(where: { $0.id == id }) else { return .refused("no device") }
            let old = state.devices[index].device.calibrations[quantity]?.versions ?? []
            state.devices[index].device.calibrations[quantity] = CalibrationSeries(old + [calibration])
            return .done("calibrated")
        default: return .done("done")
        }
    }
}

/// Two pools with a device each, and a device without a pool.
enum SampleHub {
    static let garden = PoolID(high: 1, low: 1)
    static let hall = PoolID(high: 1, low: 2)
    static let lagoon = DeviceID(high: 2, low: 1)
    static let basin = DeviceID(high: 2, low: 2)
    static let loose = DeviceID(high: 2, low: 3)
    static let server = ServerID(high: 3, low: 1)
    static let now = Timestamp(milliseconds: 1_780_000_000_000)

    static func state() -> HubState {
        var state = HubState(now: now, revision: 7)
        state.change = 1
        state.isRunning = true
        state.pools = [Pool(id: garden, name: "Garden", volume: 48), Pool(id: hall, name: "Hall")]
        state.devices = [
            device(basin, "Basin", hall), device(lagoon, "Lagoon", garden), device(loose, "Loose", nil),
        ]
        state.servers = [
            ServerState(
                Server(id: server, name: "Home", host: "broker.test", username: "pool"), hasPassword: true)
        ]
        let key = [0x00, 0x11, 0xAA, 0xBB] + [UInt8](repeating: 0, count: 28)
        state.watches = [WatchConnection(name: "Kitchen", id: WatchID(bytes: key))]
        return state
    }

    static func device(_ id: DeviceID, _ name: String, _ pool: PoolID?) -> DeviceState {
        let device = Device(id: id, name: name, serverID: server, topic: "secret/topic/\(name)", poolID: pool)
        var limits: QuantityMap<Limits> = [:]
        for quantity in Quantity.listed(where: { _ in false }) { limits[quantity] = quantity.facts.limits }
        var known = DeviceState(device, limits: limits)
        known.readings = readings(of: id, ph: 7.2)
        return known
    }

    static let forecasts = [
        Forecast(
            .ph,
            .leaving(
                RangeExit(
                    since: now, at: now, earliest: nil, latest: now, reach: now, deviation: .high, changePerDay: 0.1)),
            score: ForecastScore(originCount: 40, error: 0.1, errorOfNow: 0.2)),
        Forecast(.temperature, .value(ForecastValue(at: now, value: 25, least: 24, greatest: 26))),
        Forecast(.orp, .refused(.never)),
    ]

    static func advice(of pool: PoolID, _ numbers: AdviceNumbers) -> Advice {
        let portion = Advice.Portion(.dichlor, strengthPercent: 56, least: 90, greatest: 90, unit: .grams)
        let portions = Advice.Portions(target: 1.5, change: 0.5, choices: [portion], responseFactor: 0.9)
        return Advice(
            poolID: pool, pool: "Garden", volume: 48, at: now,
            inputs: [
                Advice.Input(
                    .ph, value: 7.2, device: "Lagoon", measuredAt: now, ageSeconds: 5, calibratedAt: now,
                    trend: .steady, low: 7, high: 7.4)
            ], numbers: numbers,
            steps: [
                Advice.Step(.ph, .nothing(.inRange(low: 7, high: 7.4))), Advice.Step(.chlorine, .dose(portions)),
                Advice.Step(.ph, .wait(.phFirst, until: now)),
            ], filtration: .hours(12), assumptions: [.oneProduct])
    }

    static func readings(of id: DeviceID, ph: Double) -> DeviceReadings {
        DeviceReadings(
            deviceID: id, order: 1,
            values: [.ph: LatestValue(value: ph, sampledAt: now, timeQuality: .device, receivedAt: now)], lastSeen: now)
    }

    static func alert(_ key: AlertKey, _ low: UInt64, name: String = "Lagoon") -> AlertState.Alert {
        AlertState.Alert(
            episodeID: AlertEpisodeID(high: 9, low: low), key: key, name: name, severity: .warning, since: now,
            isAcknowledged: false)
    }
}
