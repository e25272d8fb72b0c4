package import PoolModel
import SyncCore
package import WebServer

extension WebProduct {
    /// The page of PoolSensors.
    package static let poolsensors = WebProduct(
        app: "poolsensors", name: "PoolSensors", command: "poolsensors web",
        scope: Scope(
            noun: "pool", plural: "pools", member: "poolID", path: "/api/v1/pools",
            listCommand: "poolsensors pool list", identity: { PoolID($0).map { "\($0)" } }),
        commonWords: ["swimming", "swimmingpool", "poolsensors", "poolsensor", "mypool", "poolpool"])
}

extension Grant {
    /// Grants a pool; nil for all pools, and for devices without one.
    package init(poolID: PoolID?, level: AccessLevel) {
        self.init(scope: poolID.map { "\($0)" }, level: level)
    }
}

extension Account {
    /// What may be done with a pool, or with devices without a pool; nil for nothing.
    func level(of pool: PoolID?) -> AccessLevel? { level(of: pool.map { "\($0)" }) }
}
