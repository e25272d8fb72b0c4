import PoolControl
import PoolHub

/// What a hub waits for, and what a person can do about it.
enum HubWait {
    /// The sentences; none if readings can come and be seen.
    static func sentences(_ state: HubState) -> [String] {
        var sentences: [String] = []
        if state.servers.isEmpty {
            sentences.append("no server yet: add one with: poolsensors server add --name NAME --host HOST")
        } else if state.devices.isEmpty {
            sentences.append("no device yet: add one with: poolsensors device add --name NAME --topic TOPIC")
        } else if !state.devices.contains(where: \.isSelected) {
            sentences.append("no device is selected: select one with: poolsensors device select NAME")
        }
        if state.watches.isEmpty {
            sentences.append("no watch yet: invite one with: poolsensors pair")
        } else if !state.watches.contains(where: { $0.isLinked == true }) {
            let names = state.watches.map(\.name).joined(separator: ", ")
            sentences.append("waiting for watches: \(names)")
        }
        sentences += state.problems.map { "problem: \($0)" }
        return sentences
    }
}
