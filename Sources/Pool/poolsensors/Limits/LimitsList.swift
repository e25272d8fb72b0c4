import CommandSupport
import PoolControl
import PoolModel

/// Formats limits as text.
enum LimitsList {
    static func lines(_ owners: [LimitsReport]) -> [String] {
        guard !owners.isEmpty else {
            return ["There is no device yet; add one with: poolsensors device add --name NAME --topic TOPIC"]
        }
        var table = TextTable("limits of", "quantity", "critical below", "low", "high", "critical above", "from")
        for owner in owners {
            for (quantity, row) in owner.limits.pairs {
                let limits = row.limits
                table.add(
                    "\(owner.kind) \(owner.name)", quantity.name, quantity.shortText(limits.criticalLow),
                    quantity.shortText(limits.low), quantity.shortText(limits.high),
                    quantity.shortText(limits.criticalHigh), row.from.rawValue)
            }
        }
        return table.lines
    }

    /// The changes, one line for each quantity.
    static func changes(of owner: LimitsReport, to limits: QuantityMap<Limits>) -> [String] {
        limits.pairs.map { quantity, new in
            let old = owner.limits(of: quantity)
            guard old != new else { return "\(quantity.name): \(new.words(of: quantity)), as before" }
            return "\(quantity.name): \(old.words(of: quantity)) → \(new.words(of: quantity))"
        }
    }
}
