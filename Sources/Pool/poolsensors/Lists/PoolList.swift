import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The pools in words.
enum PoolList {
    static func lines(_ pools: [HubReport.PoolReport]) -> [String] {
        guard !pools.isEmpty else { return ["There is no pool yet; add one with: poolsensors pool add --name NAME"] }
        var table = TextTable("pool", "m³", "devices", "own limits", "id")
        for pool in pools {
            let limits = pool.limits.pairs.map { quantity, limits in
                "\(quantity.name) \(limits.low)…\(limits.high)"
            }
            table.add(
                pool.name, pool.volume.map { "\($0)" } ?? "", pool.devices.joined(separator: ", "),
                limits.joined(separator: ", "), String("\(pool.id)".prefix(8)))
        }
        return table.lines
    }
}
