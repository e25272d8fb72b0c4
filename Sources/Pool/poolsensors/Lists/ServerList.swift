import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Formats the servers as text.
enum ServerList {
    static func lines(_ state: HubState) -> [String] {
        guard !state.servers.isEmpty else {
            return ["There is no server yet; add one with: poolsensors server add --name NAME --host HOST"]
        }
        var table = TextTable(
            "server", "address", "tls", "user", "password", "mqtt", "announced", "devices", "state", "id")
        var sentences: [String] = []
        for known in state.servers {
            let server = known.server
            let deviceCount = state.devices.count { $0.device.serverID == server.id }
            // A hub only connects to servers that have devices.
            let isIdle = state.isRunning && deviceCount == 0
            table.add(
                server.name, server.address, tls(server), server.username ?? "",
                known.hasPassword ? "kept" : "", server.protocolVersion.rawValue,
                server.announcementPrefix ?? "", "\(deviceCount)",
                known.connection?.phase.rawValue ?? (isIdle ? "not needed" : ""), String("\(server.id)".prefix(8)))
            // The table has one word for the state; the sentence is printed below the table.
            if let connection = known.connection, connection.words != connection.phase.rawValue {
                sentences.append("\(server.name): \(connection.words)")
            }
            if let note = server.note { sentences.append("\(server.name): \(note)") }
            if isIdle { sentences.append("\(server.name): no device needs a connection yet") }
        }
        return table.lines + sentences.map(PlainText.oneLine)
            + state.problems.map { "Problem: \(PlainText.oneLine($0))" }
    }

    private static func tls(_ server: Server) -> String {
        guard server.usesTLS else { return "" }
        let files = [server.caFile, server.clientCertificate.map { "as \($0.certificateFile)" }].compactMap(\.self)
        return (["yes"] + files).joined(separator: ", ")
    }
}
