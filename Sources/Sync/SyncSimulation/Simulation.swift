/// Runs a hub and some watches in virtual time on a simulated network, with faults, and checks what must hold.
///
/// One seed is one run: the same seed with the same options takes the same steps on every machine.
public enum Simulation {
    /// Runs one seed to its end or to the first violation.
    public static func run(seed: UInt64, options: SimulationOptions = SimulationOptions()) -> SimulationReport {
        run(Schedule(seed: seed, options: options))
    }

    /// Runs a schedule to its end or to the first violation.
    public static func run(_ schedule: Schedule) -> SimulationReport {
        var run = SimulatedRun(schedule: schedule)
        return run.run()
    }

    /// Runs a schedule and returns the occurrences that happened in it, too.
    static func record(_ schedule: Schedule) -> (report: SimulationReport, passed: [Occurrence]) {
        var run = SimulatedRun(schedule: schedule, keepsRecord: true)
        let report = run.run()
        return (report, run.passed)
    }
}
