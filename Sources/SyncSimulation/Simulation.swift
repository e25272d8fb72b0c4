/// Runs a hub and some watches in virtual time on a simulated network, with faults, and checks what must hold.
///
/// One seed is one run: the same seed with the same options takes the same steps on every machine.
public enum Simulation {
    /// Runs one seed to its end or to the first violation.
    public static func run(seed: UInt64, options: SimulationOptions = SimulationOptions()) -> SimulationReport {
        run(seed: seed, options: options, mutant: nil)
    }

    /// Runs one seed with a fault planted into the design, to see whether the checks notice.
    package static func run(
        seed: UInt64, options: SimulationOptions = SimulationOptions(), mutant: Mutant?
    ) -> SimulationReport {
        var world = World(seed: seed, options: options, mutant: mutant)
        return world.run()
    }
}
