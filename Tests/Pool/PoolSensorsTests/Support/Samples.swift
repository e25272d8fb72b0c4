import PoolControl
import PoolHub
import PoolModel

/// Values for tests.
enum Samples {
    static let serverID = ServerID(high: 1, low: 2)
    static let deviceID = DeviceID(high: 3, low: 4)

    static func report(
        servers: [HubReport.ServerReport] = [], devices: [HubReport.DeviceReport] = [],
        watches: [HubReport.WatchReport] = []
    ) -> HubReport {
        decoded(
            """
            {"isRunning": true, "revision": 1, "servers": [], "devices": [], "pools": [], "watches": [],
             "history": {"rawDays": 30, "summaryDays": 3650}, "conflicts": [], "problems": []}
            """
        ) { (report: inout HubReport) in
            report.servers = servers
            report.devices = devices
            report.watches = watches
        }
    }

    static func server(_ name: String = "Garden", usesTLS: Bool = false) -> HubReport.ServerReport {
        decoded(
            """
            {"id": "\(serverID)", "name": "\(name)", "host": "127.0.0.1", "port": 1883, "hasPassword": false,
             "usesTLS": \(usesTLS), "protocolVersion": "3.1.1"}
            """)
    }

    static func device(
        _ name: String, id: DeviceID = deviceID, isSelected: Bool = true, stored: Int = 0, order: UInt64? = nil
    ) -> HubReport.DeviceReport {
        decoded(
            """
            {"id": "\(id)", "name": "\(name)", "serverID": "\(serverID)", "topic": "pool/\(name)", "deviceType": "x",
             "expectedIntervalSeconds": 60, "isSelected": \(isSelected), "storedReadings": \(stored),
             "limits": {}, "ownLimits": {}, "calibrations": {}}
            """
        ) { (device: inout HubReport.DeviceReport) in
            device.readings = order.map { DeviceReadings(deviceID: id, order: $0) }
        }
    }

    static func watch(_ name: String, isLinked: Bool?, superseded: UInt64 = 0) -> HubReport.WatchReport {
        decoded(
            """
            {"name": "\(name)", "key": "01234567", "backlog": 0, "confirmed": 0, "superseded": \(superseded)}
            """
        ) { (watch: inout HubReport.WatchReport) in
            watch.isLinked = isLinked
        }
    }

    /// Reports have no public initializer, but they are what a hub sends.
    private static func decoded<Value: Decodable>(_ json: String, _ change: (inout Value) -> Void = { _ in }) -> Value {
        do {
            var value = try CanonicalJSON.decode(Value.self, from: Array(json.utf8))
            change(&value)
            return value
        } catch {
            preconditionFailure("a sample is wrong: \(error)")
        }
    }
}
