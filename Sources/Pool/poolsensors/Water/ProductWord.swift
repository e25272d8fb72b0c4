import ArgumentParser
import Commands
import PoolModel

/// Reads products as people name them.
enum ProductWord {
    /// The product that a text names.
    ///
    /// - Parameters:
    ///   - text: An identifier, or a name in a language or of a shop.
    ///   - unit: The unit of its amount, which tells a dry product from a liquid; nil if there is none.
    /// - Returns: The product.
    /// - Throws: `ValidationError` with the products that may be meant.
    static func product(_ text: String, in unit: Dose.Unit? = nil) throws -> DoseProduct {
        let meant = DoseProduct.meant(by: text)
        let fitting = unit.map { unit in meant.filter { $0.units.contains(unit) } } ?? meant
        if fitting.count == 1 { return fitting[0] }
        // With a unit in which it is not measured, the error about the unit says more.
        if fitting.isEmpty, meant.count == 1 { return meant[0] }
        let candidates = fitting.isEmpty ? meant : fitting
        guard candidates.isEmpty else {
            let words = candidates.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\"\(text)\" may be one of \(words): read the label, and give that name")
        }
        let near = DoseProduct.nearest(to: text).map { "did you mean \"\($0)\"? " } ?? ""
        throw ValidationError(
            "\"\(text)\" is no product that is known: \(near)There are \(Choice.words(DoseProduct.self))")
    }
}
