import ArgumentParser
import CommandSupport
import PoolModel
import SyncCore

/// The names of the design faults.
enum MutantName {
    /// The name for the engine without a fault.
    static let none = "none"

    static func check(_ name: String?) throws {
        guard let name, name != none, Mutant(rawValue: name) == nil else { return }
        let known = Mutant.allCases.map(\.rawValue)
        let advice =
            NearMiss.nearest(to: name, in: known).map { "did you mean \($0)?" }
            ?? "there are \(known.joined(separator: ", "))"
        throw ValidationError("--mutant is \"\(name)\", which is no fault of design; \(advice)")
    }
}
