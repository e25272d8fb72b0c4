/// A fault of design that is planted into the machines: if the checks do not find it, they would not find such a fault
/// in earnest.
///
/// `.ci/mutants` writes a case here for each entry of Tests/Mutants/*.txt.
package enum Mutant: String, CaseIterable, Sendable {
    // CASES

    /// The faults of the run that is under way in this task or on this thread.
    @TaskLocal private static var planted: Set<Mutant> = []

    /// Whether this fault is planted.
    package var isOn: Bool { Self.planted.contains(self) }

    /// Runs something with faults planted, in place of those that are planted already.
    package static func plant<Result>(_ mutants: Set<Mutant>, in run: () throws -> Result) rethrows -> Result {
        try $planted.withValue(mutants, operation: run)
    }
}

extension Mutant? {
    /// Runs something with this fault planted, if it is one.
    package func planted<Result>(in run: () throws -> Result) rethrows -> Result {
        try Mutant.plant(map { [$0] } ?? [], in: run)
    }
}
