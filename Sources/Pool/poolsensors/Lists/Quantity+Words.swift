import Foundation
import PoolModel

extension Quantity {
    /// A value with its unit, rounded to the digits that every screen shows.
    func words(_ value: Double) -> String {
        let digits = String(format: "%.\(decimals)f", value)
        return unit.isEmpty ? digits : "\(digits) \(unit)"
    }
}
