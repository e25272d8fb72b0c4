extension Dose {
    /// Until when the dose acts, and no other product for a quantity is added.
    ///
    /// A product for the same quantity acts for twelve hours, or one turnover if that is longer; any other one is mixed
    /// in for one turnover.
    ///
    /// - Parameters:
    ///   - quantity: The quantity.
    ///   - turnoverHours: The time in which the pump moves the whole volume once, in hours; nil if unknown.
    /// - Returns: The time.
    public func actsUntil(on quantity: Quantity, turnoverHours: Double? = nil) -> Timestamp {
        let hours =
            product.quantity == quantity
            ? max(turnoverHours ?? 0, Advice.lockHoursMin) : turnoverHours ?? Advice.usualTurnoverHours
        return at.advanced(byMilliseconds: Int64(hours * 3_600_000))
    }
}
