import CommandSupport
import PoolHub
import PoolModel

/// The servers in words.
enum ServerList {
    static func lines(_ report: HubReport) -> [String] {
        guard !report.servers.isEmpty else {
            return ["There is no server yet; add one with: poolsensors server add --name NAME --host HOST"]
        }
        var table = TextTable(
            "server", "address", "tls", "user", "password", "mqtt", "announced", "devices", "state", "id")
        var sentences: [String] = []
        for server in report.servers {
            let deviceCount = report.devices.count { $0.serverID == server.id }
            // A hub connects only to servers from which something can come.
            let isIdle = report.isRunning && deviceCount == 0
            let host = server.host.contains(":") ? "[\(server.host)]" : server.host
            table.add(
                server.name, "\(host):\(server.port)", tls(server), server.username ?? "",
                server.hasPassword ? "kept" : "", server.protocolVersion.rawValue,
                server.announcementPrefix ?? "", "\(deviceCount)",
                server.stateWord ?? (isIdle ? "not needed" : ""), String("\(server.id)".prefix(8)))
            // A table holds words; what takes a sentence stands below it.
            if let state = server.state, state != server.stateWord { sentences.append("\(server.name): \(state)") }
            if isIdle { sentences.append("\(server.name): no device needs a connection yet") }
        }
        return table.lines + sentences.map(PlainText.oneLine)
            + report.problems.map { "Problem: \(PlainText.oneLine($0))" }
    }

    private static func tls(_ server: HubReport.ServerReport) -> String {
        guard server.usesTLS else { return "" }
        let files = [server.caFile, server.clientCertificate.map { "as \($0.certificateFile)" }].compactMap(\.self)
        return (["yes"] + files).joined(separator: ", ")
    }

    /// The server that a person means.
    static func server(_ text: String, in report: HubReport) throws -> HubReport.ServerReport {
        do {
            // The model knows what a person means by a text; it needs no more than names and identities for that.
            let configuration = try report.servers.reduce(PoolConfiguration()) { known, server in
                try known.adding(Server(id: server.id, name: server.name, host: server.host))
            }
            let id = try configuration.server(matching: text).id
            guard let found = report.servers.first(where: { $0.id == id }) else {
                preconditionFailure("the server \(id) was found in a list that does not have it")
            }
            return found
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}
