import ArgumentParser
import CommandSupport

/// Measures how good forecasts of the water are.
struct BenchForecastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Measures forecasts of the water beside \"as it is now\", on simulated pools.",
        discussion: """
            Five pools in gardens and one in a hall are simulated for 120 days, a sample in
            15 minutes, and forecast from every sixth hour by the values before it. Each
            row is a method, a quantity and the hours ahead, with its mean absolute error
            and that of the simplest method: below 1 it is better. Methods that lose are
            listed, too; the product uses the others, where a pool's own past allows.

            The pools are those of a simulator with a doser, not real ones: the numbers
            tell methods apart, and say nothing about your pool.

            Examples:
              synclab bench forecast
              synclab bench forecast --quick --json

            Exit status: 0.
            """)

    @OptionGroup
    var options: BenchOptions

    func run() async throws {
        let comparison = ForecastComparison(
            gardenCount: options.quick ? 1 : 5, days: options.quick ? 45 : 120)
        if !options.json { Output.standard.line(comparison.title) }
        for row in comparison.rows() {
            Output.standard.line(options.json ? try JSONText.line(row) : row.text)
        }
    }
}
