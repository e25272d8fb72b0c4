import ArgumentParser
import Foundation
import Text

/// The flags of a command that can print JSON.
package struct JSONOptions: ParsableArguments {
    /// The names of the flags.
    package static let names: Set = ["--json", "--pretty"]

    @Flag(help: "Print JSON in one line, errors too.")
    package var json = false

    @Flag(help: "Print JSON in many lines.")
    package var pretty = false

    /// Creates the flags, not given.
    package init() {}

    /// Whether to print JSON.
    package var isOn: Bool { json || pretty }

    /// Prints a value to standard output.
    package func write(_ value: some Encodable) throws {
        Output.standard.line(pretty ? try JSONText.pretty(value) : try JSONText.line(value))
    }

    /// Prints a JSON text of one line that was made elsewhere.
    package func write(text: String) throws {
        guard pretty else { return Output.standard.line(text) }
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let bytes = try JSONSerialization.data(
            withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        Output.standard.line(String(decoding: bytes, as: UTF8.self))
    }

    /// Prints what a change did, as JSON or as a sentence.
    package func write(done sentence: String) throws {
        guard isOn else { return Output.standard.line(PlainText.oneLine(sentence)) }
        try write(ChangeRecord(done: sentence))
    }
}
