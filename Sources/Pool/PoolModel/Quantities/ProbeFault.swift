/// What a probe reports that measures nothing: it is unplugged, dry, defective, or has just started.
///
/// A faulty value is quarantined: it is told once as a fault of the probe, and it is never stored, judged, or used for
/// advice. What a probe can report, and which values in that range are faults, stands in the row of each quantity. In
/// view of what else is known, a temperature of exactly 0 or −1 is a fault in water that was not cold before, or beside
/// other quantities that are measured; and a chlorine of exactly 0, while another quantity says that the water
/// disinfects.
///
/// All values are in the units of their quantities, whatever unit the device sends, and as sent: before calibration.
public enum ProbeFault: String, CaseIterable, Hashable, Sendable {
    /// No water has such a value.
    case impossible
    /// Nothing is connected to the input, or the electrode is dry or shorted.
    case unplugged
    /// The sensor has just started, or gets too little power: the 85 °C of a DS18B20.
    case starting
    /// The sensor does not answer.
    case silent
    /// Zero stands for a missing value.
    case zero
    /// The step from the value before is exactly the one between °C and °F.
    case scale

    /// The highest temperature, in °C, from which water may have cooled down to exactly 0.
    private static let coldWater = 4.0

    /// The fault that a value is by itself; nil if a probe in water can report it.
    public init?(_ quantity: Quantity, _ value: Double) {
        let known = quantity.facts.faults.first { $0.values.contains(value) }
        guard known != nil || !quantity.facts.possibleRange.contains(value) else { return nil }
        self = known?.fault ?? .impossible
    }

    /// The fault that a value is in view of what the device measures besides, and measured before; nil if it has no fault.
    ///
    /// - Parameters:
    ///   - quantity: The quantity.
    ///   - value: The value.
    ///   - others: What the device measures besides at that time; of each quantity the value as sent.
    ///   - before: The value of the quantity before; nil if there is none, or if it is hours old.
    public init?(_ quantity: Quantity, _ value: Double, beside others: QuantityMap<Double>, after before: Double?) {
        if let fault = ProbeFault(quantity, value) {
            let isScale =
                quantity == .temperature && fault == .impossible
                && before.map { Self.isChangeOfScale(from: $0, to: value) } ?? false
            self = isScale ? .scale : fault
            return
        }
        switch quantity {
        case .temperature:
            let isOtherAlive = others.pairs.contains {
                $0.quantity != quantity && ProbeFault($0.quantity, $0.value) == nil
            }
            if value == 0 || value == -1, isOtherAlive || before != nil, before ?? .infinity > Self.coldWater {
                self = .zero
            } else if let before, Self.isChangeOfScale(from: before, to: value) {
                self = .scale
            } else {
                return nil
            }
        case .chlorine:
            let isDisinfected = others.pairs.contains { other in
                other.quantity.facts.disinfectedMin.map { other.value >= $0 } ?? false
            }
            guard value == 0, isDisinfected else { return nil }
            self = .zero
        default: return nil
        }
    }

    /// Whether one temperature in °C is the other one read in the wrong scale, by a step that water cannot make.
    private static func isChangeOfScale(from before: Double, to value: Double) -> Bool {
        guard abs(value - before) > 5 else { return false }
        let asFahrenheit = Quantity.temperature.standardValue(before, in: .fahrenheit)
        let asCelsius = Quantity.temperature.standardValue(value, in: .fahrenheit)
        return abs(value - asFahrenheit) <= 0.3 || abs(before - asCelsius) <= 0.3
    }

    /// The fault and its value as an alert keeps them, such as `unplugged 14.0`.
    package func record(of value: Double) -> String { "\(rawValue) \(value)" }

    /// Reads what ``record(of:)`` made; nil for another text.
    package static func read(_ record: String) -> (fault: ProbeFault, value: Double)? {
        let parts = record.split(separator: " ")
        guard parts.count == 2, let fault = ProbeFault(rawValue: String(parts[0])), let value = Double(parts[1]) else {
            return nil
        }
        return (fault, value)
    }
}
