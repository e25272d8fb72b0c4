import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The known numbers of the water.
struct WaterNumbers {
    var ph: Double?
    var celsius: Double?
    var chlorine: Double?
    var calcium: Double?
    var alkalinity: Double?
    var cyanuricAcid: Double?
    var dissolved: Double?
    var borates: Double?
    /// The source of each number that was filled in, one sentence each.
    var remarks: [String] = []

    /// Fills in missing numbers from a device.
    ///
    /// - Throws: ``CommandFailure`` if it has no fresh pH or temperature.
    mutating func fill(from device: DeviceState, at now: Timestamp) throws {
        let gauges = device.glance(alerts: AlertState(), at: now).gauges
        ph = try ph ?? needed(.ph, "--ph", of: device, gauges)
        celsius = try celsius ?? needed(.temperature, "--temperature", of: device, gauges)
        guard chlorine == nil, let gauge = gauges.first(where: { $0.quantity == .chlorine }), let value = gauge.value
        else { return }
        if gauge.freshness == .live {
            chlorine = value
            remarks.append("The chlorine \(Quantity.chlorine.textWithUnit(value)) is that of \(device.name).")
        } else {
            remarks.append("The chlorine of \(device.name) is \(Self.age(gauge)) and is not used.")
        }
    }

    private mutating func needed(
        _ quantity: Quantity, _ flag: String, of device: DeviceState, _ gauges: [Glance.Gauge]
    ) throws -> Double {
        guard let gauge = gauges.first(where: { $0.quantity == quantity }), let value = gauge.value else {
            throw CommandFailure("\(device.name) has sent no \(quantity.name) yet: give it with \(flag)")
        }
        guard gauge.freshness == .live else {
            throw CommandFailure(
                "the \(quantity.name) of \(device.name), \(quantity.textWithUnit(value)), is \(Self.age(gauge)), and old water "
                    + "cannot be used: wait for a new value, or give one with \(flag)")
        }
        remarks.append("The \(quantity.name) \(quantity.textWithUnit(value)) is that of \(device.name).")
        return value
    }

    private static func age(_ gauge: Glance.Gauge) -> String {
        gauge.ageSeconds.map { "\(DurationText.text(.seconds($0))) old" } ?? "of unknown age"
    }
}
