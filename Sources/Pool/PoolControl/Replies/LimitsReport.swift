package import PoolModel

/// Where limits come from.
package enum LimitsSource: String, Encodable, Sendable {
    /// The device's own limits.
    case device
    /// The limits of the device's pool.
    case pool
    /// The default limits, where neither the device nor its pool has any.
    case standard

    /// The source of a device's limits of a quantity.
    package init(_ quantity: Quantity, of device: DeviceState, in state: HubState) {
        let pool = device.device.poolID.flatMap { state.pool($0) }
        self = device.device.limits[quantity] != nil ? .device : pool?.limits[quantity] != nil ? .pool : .standard
    }
}

/// The limits of a device or a pool that are in force, and where each comes from, in JSON.
package struct LimitsReport: Encodable {
    /// The limits of one quantity.
    package struct Row: Encodable {
        package var limits: Limits
        package var from: LimitsSource
    }

    /// What owns them: `device` or `pool`.
    package var kind: LimitsSource
    /// The name of the owner.
    package var name: String
    /// The limits of all quantities.
    package var limits: QuantityMap<Row> = [:]
    /// The owner, in the form of the hub's commands; not in the JSON.
    package let owner: LimitsOwner

    private enum CodingKeys: CodingKey { case kind, name, limits }

    /// The limits of a device.
    package init(_ device: DeviceState, in state: HubState) {
        kind = .device
        name = device.name
        owner = .device(device.id)
        for quantity in device.listedQuantities {
            limits[quantity] = Row(
                limits: device.limits[quantity] ?? quantity.facts.limits,
                from: LimitsSource(quantity, of: device, in: state))
        }
    }

    /// The limits of a pool.
    package init(_ pool: Pool, in state: HubState) {
        kind = .pool
        name = pool.name
        owner = .pool(pool.id)
        let devices = state.devices.filter { $0.device.poolID == pool.id }
        let quantities = Quantity.listed { quantity in
            pool.limits[quantity] != nil || devices.contains { $0.listedQuantities.contains(quantity) }
        }
        for quantity in quantities {
            let own = pool.limits[quantity]
            limits[quantity] = Row(limits: own ?? quantity.facts.limits, from: own == nil ? .standard : .pool)
        }
    }

    /// Whether it has limits of its own for a quantity.
    package func isOwn(_ quantity: Quantity) -> Bool { limits[quantity]?.from == kind }

    /// The limits in force.
    package func limits(of quantity: Quantity) -> Limits { limits[quantity]?.limits ?? quantity.facts.limits }

    /// The owner as text.
    package var words: String { "the \(kind) \"\(name)\"" }
}
