import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Formats the devices as text.
enum DeviceList {
    static func lines(_ state: HubState) -> [String] {
        guard !state.devices.isEmpty else {
            return ["There is no device yet; add one with: poolsensors device add --name NAME --topic TOPIC"]
        }
        let servers = Dictionary(state.servers.map { ($0.id, $0.name) }) { $1 }
        var table = TextTable("device", "server", "topic", "every", "stored", "rejected", "id")
        for device in state.devices {
            table.add(
                (device.isSelected ? "* " : "  ") + device.name, servers[device.device.serverID] ?? "(gone)",
                device.device.topic,
                DurationText.text(.seconds(device.device.expectedIntervalSeconds)), "\(device.storedReadings)",
                device.counts.map { "\($0.rejectedCount)" } ?? "", String("\(device.id)".prefix(8)))
        }
        return table.lines + state.problems.map { "Problem: \(PlainText.oneLine($0))" }
    }
}
