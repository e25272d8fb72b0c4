import SyncCore

extension SmallWorld {
    /// Does the operations with a fault planted, then lets everything come to rest; gives what broke.
    package static func run(
        _ operations: [SmallOperation], mutant: SmallMutant?, hasRawClocks: Bool = false
    ) -> SmallViolation? {
        RawClocks.$areOn.withValue(hasRawClocks) { mutant.planted { run(operations) } }
    }

    /// Makes a list of operations shorter that fails with a fault planted, as long as it breaks the same promise.
    package static func shrunk(_ operations: [SmallOperation], mutant: SmallMutant) -> [SmallOperation] {
        SmallMutant?.some(mutant).planted { shrunk(operations) }
    }
}

extension SmallExhaustion {
    /// Visits the states with a fault planted.
    package func run(mutant: SmallMutant) -> Report {
        SmallMutant?.some(mutant).planted { run() }
    }
}
