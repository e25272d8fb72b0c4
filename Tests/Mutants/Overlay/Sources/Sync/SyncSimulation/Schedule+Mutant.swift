package import SyncCore

extension Schedule {
    /// Creates the schedule of all that a seed draws, with a fault planted.
    package init(seed: UInt64, options: SimulationOptions = SimulationOptions(), mutant: Mutant) {
        self.init(seed: seed, options: options)
        self.mutant = mutant
    }

    /// The same schedule for the engine as it is.
    package var sound: Schedule {
        var sound = self
        sound.mutant = nil
        return sound
    }
}
