import Foundation
import PoolModel

extension Quantity {
    /// A value with as many digits as every screen shows, and its unit.
    func words(_ value: Double) -> String {
        let digits = String(format: "%.\(decimals)f", value)
        return unit.isEmpty ? digits : "\(digits) \(unit)"
    }
}
