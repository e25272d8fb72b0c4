import PoolControl
import PoolHub
import PoolModel

/// The limits of a device or a pool.
struct OwnedLimits: Encodable {
    /// The limits of one quantity.
    struct Row: Encodable {
        var limits: Limits
        var from: LimitsSource
    }

    /// `device` or `pool`.
    var kind: String
    var name: String
    var limits: QuantityMap<Row> = [:]
    /// The owner, in the form of the hub's commands.
    let owner: LimitsOwner

    private enum CodingKeys: String, CodingKey {
        case kind
        case name
        case limits
    }

    init(_ device: DeviceState, in state: HubState) {
        kind = "device"
        name = device.name
        owner = .device(device.id)
        for quantity in Quantity.allCases {
            limits[quantity] = Row(
                limits: device.limits[quantity] ?? .standard(for: quantity),
                from: LimitsSource(quantity, of: device, in: state))
        }
    }

    init(_ pool: Pool) {
        kind = "pool"
        name = pool.name
        owner = .pool(pool.id)
        for quantity in Quantity.allCases {
            let own = pool.limits[quantity]
            limits[quantity] = Row(
                limits: own ?? .standard(for: quantity), from: own == nil ? .standard : .pool)
        }
    }

    /// Whether it has limits of its own for a quantity.
    func isOwn(_ quantity: Quantity) -> Bool { limits[quantity]?.from.rawValue == kind }

    /// The effective limits.
    func limits(of quantity: Quantity) -> Limits { limits[quantity]?.limits ?? .standard(for: quantity) }

    /// The owner as text.
    var words: String { "the \(kind) \"\(name)\"" }
}
