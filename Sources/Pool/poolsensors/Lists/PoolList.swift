import CommandSupport
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

    /// The pool that a person means.
    static func pool(_ text: String, in report: HubReport) throws -> HubReport.PoolReport {
        do {
            // The model knows what a person means by a text; it needs no more than names and identities for that.
            let configuration = try report.pools.reduce(PoolConfiguration()) { known, pool in
                try known.adding(Pool(id: pool.id, name: pool.name))
            }
            let id = try configuration.pool(matching: text).id
            guard let found = report.pools.first(where: { $0.id == id }) else {
                preconditionFailure("the pool \(id) was found in a list that does not have it")
            }
            return found
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}
