import PoolControl
import PoolModel
import WebServer

extension RequestContext {
    /// A parameter that is a quantity.
    func quantity() throws(Problem) -> Quantity? {
        guard let text = parameter("quantity") else { return nil }
        guard let quantity = Quantity(rawValue: text) else {
            throw wrong("quantity", text, "one of " + Quantity.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return quantity
    }

    /// A pool that the account may read, and edit if the route needs that.
    func pool(_ id: String, in state: HubState) throws(Problem) -> Pool {
        let missing = Problem(.missing, "there is no pool \(Excerpt(id)): see /api/v1/pools", value: id)
        guard let pool = PoolID(id).flatMap({ state.pool($0) }) else { throw missing }
        try check(of: pool.id, missing: missing)
        return pool
    }

    /// A device that the account may read, and edit if the route needs that.
    func device(_ id: String, in state: HubState) throws(Problem) -> DeviceState {
        let missing = Problem(.missing, "there is no device \(Excerpt(id)): see /api/v1/devices", value: id)
        guard let device = DeviceID(id).flatMap({ state.device($0) }) else { throw missing }
        try check(of: device.device.poolID, missing: missing)
        return device
    }

    /// Checks that the account may use the route for a subject of a pool; nil for a device without one.
    func check(of pool: PoolID?, missing: Problem) throws(Problem) {
        try check(of: pool.map { "\($0)" }, missing: missing)
    }
}
