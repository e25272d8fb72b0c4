import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Formats the pools as text.
enum PoolList {
    /// A pool as JSON.
    struct Row: Encodable {
        let pool: Pool
        /// The names of its devices.
        let devices: [String]

        private enum CodingKeys: CodingKey {
            case devices
        }

        func encode(to encoder: any Encoder) throws {
            try pool.encode(to: encoder)
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(devices, forKey: .devices)
        }
    }

    static func rows(_ state: HubState) -> [Row] {
        state.pools.map { Row(pool: $0, devices: state.devices(of: $0.id).map(\.name)) }
    }

    static func lines(_ state: HubState) -> [String] {
        guard !state.pools.isEmpty else {
            return ["There is no pool yet; add one with: poolsensors pool add --name NAME"]
        }
        var table = TextTable("pool", DisplayUnits.current.volume.rawValue, "devices", "own limits", "id")
        for row in rows(state) {
            let pool = row.pool
            let limits = pool.limits.pairs.map { quantity, limits in
                "\(quantity.name) \(quantity.shortText(limits.low))…\(quantity.shortText(limits.high))"
            }
            table.add(
                pool.name, pool.volume.map { String(DisplayUnits.current.text(volume: $0).prefix { $0 != " " }) } ?? "",
                row.devices.joined(separator: ", "),
                limits.joined(separator: ", "), String("\(pool.id)".prefix(8)))
        }
        return table.lines
    }
}
