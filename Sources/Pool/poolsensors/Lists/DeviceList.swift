import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The devices in words.
enum DeviceList {
    static func lines(_ report: HubState) -> [String] {
        guard !report.devices.isEmpty else {
            return ["There is no device yet; add one with: poolsensors device add --name NAME --topic TOPIC"]
        }
        let servers = Dictionary(report.servers.map { ($0.id, $0.name) }) { $1 }
        var table = TextTable("device", "server", "topic", "every", "stored", "rejected", "id")
        for device in report.devices {
            table.add(
                (device.isSelected ? "* " : "  ") + device.name, servers[device.device.serverID] ?? "(gone)", device.device.topic,
                DurationText.text(.seconds(device.device.expectedIntervalSeconds)), "\(device.storedReadings)",
                device.counts.map { "\($0.rejectedCount)" } ?? "", String("\(device.id)".prefix(8)))
        }
        return table.lines + report.problems.map { "Problem: \(PlainText.oneLine($0))" }
    }
}
