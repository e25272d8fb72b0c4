import CommandSupport
import PoolHub
import PoolModel

/// The devices in words.
enum DeviceList {
    static func lines(_ report: HubReport) -> [String] {
        guard !report.devices.isEmpty else {
            return ["There is no device yet; add one with: poolsensors device add --name NAME --topic TOPIC"]
        }
        let servers = Dictionary(report.servers.map { ($0.id, $0.name) }) { $1 }
        var table = TextTable("device", "server", "topic", "every", "stored", "rejected", "id")
        for device in report.devices {
            table.add(
                (device.isSelected ? "* " : "  ") + device.name, servers[device.serverID] ?? "(gone)", device.topic,
                DurationText.text(.seconds(device.expectedIntervalSeconds)), "\(device.storedReadings)",
                device.counts.map { "\($0.rejectedCount)" } ?? "", String("\(device.id)".prefix(8)))
        }
        return table.lines + report.problems.map { "Problem: \(PlainText.oneLine($0))" }
    }

    /// The device that a person means.
    static func device(_ text: String, in report: HubReport) throws -> HubReport.DeviceReport {
        do {
            // The model knows what a person means by a text; it needs no more than names and identities for that.
            let server = Server(id: ServerID(high: 0, low: 0), name: "any", host: "localhost")
            var configuration = try PoolConfiguration().adding(server)
            for device in report.devices {
                configuration = try configuration.adding(
                    Device(id: device.id, name: device.name, serverID: server.id, topic: "\(device.id)"))
            }
            let id = try configuration.device(matching: text).id
            guard let found = report.devices.first(where: { $0.id == id }) else {
                preconditionFailure("the device \(id) was found in a list that does not have it")
            }
            return found
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}
