import ArgumentParser
import CommandSupport
import PoolModel

/// The flags of a command that can print JSON.
struct JSONOptions: ParsableArguments {
    /// The names of the flags.
    static let names: Set = ["--json", "--pretty"]

    @Flag(help: "Print JSON in one line, errors too.")
    var json = false

    @Flag(help: "Print JSON in many lines.")
    var pretty = false

    /// Whether to print JSON.
    var isOn: Bool { json || pretty }

    /// Prints a value to standard output.
    func write(_ value: some Encodable) throws {
        Output.standard.line(pretty ? try JSONText.pretty(value) : try JSONText.line(value))
    }
}
