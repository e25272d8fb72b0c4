import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel
import WaterChemistry

/// Lists presets.
struct LimitsPresetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets", abstract: "Lists the presets with their authority, source and note.",
        discussion: "Example:\n  poolsensors limits presets")

    @OptionGroup var json: JSONOptions

    func run() async throws {
        if json.isOn { return try json.write(LimitsPreset.all.map(PresetRow.init)) }
        for line in PresetList.lines(LimitsPreset.all) { Output.standard.line(line) }
    }
}

/// Applies a preset.
struct LimitsPresetCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "preset", abstract: "Gives a device or a pool the limits of a preset; it asks first.",
        discussion: """
            A quantity about which the preset says nothing keeps its limits.

            Example:
              poolsensors limits preset private-eu --device Lagoon
            """)

    @Argument(help: ArgumentHelp("The preset; see `limits presets`.", valueName: "preset"))
    var preset: String

    @OptionGroup var owner: LimitsOwnerOptions

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        try owner.checkOne()
        _ = try named()
    }

    func run(in context: CommandContext) async throws {
        let preset = try named()
        let found = try owner.owner(in: try await context.state())
        if !json.isOn {
            Output.standard.line("\(preset.title)")
            for line in LimitsList.changes(of: found, to: preset.limits) { Output.standard.line("  \(line)") }
            Output.standard.line("  Source: \(preset.source)")
            Output.standard.line("  \(preset.note)")
        }
        guard try Prompt.confirm("Give these limits to \(found.words)?", isAnswered: yes) else {
            return Output.errors.line("nothing was changed")
        }
        try await context.change(.edit(.applyPreset(preset.key, found.owner)), json: json)
    }

    private func named() throws -> LimitsPreset {
        do {
            return try LimitsPreset.named(preset)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

/// Formats the presets as text.
enum PresetList {
    static func lines(_ presets: [LimitsPreset]) -> [String] {
        presets.flatMap { preset in
            ["\(preset.key): \(preset.title)"]
                + preset.limits.pairs.map { quantity, limits in
                    "    \(quantity.name) \(limits.words(of: quantity)) \(quantity.unit)".trimmedAtEnd
                }
                + ["    Source: \(preset.source)", "    \(preset.note)"]
        } + ["The numbers are the normal range, and in brackets the one outside of which a value is critical."]
    }
}

extension String {
    /// The text without blanks at its end.
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// A preset as JSON.
struct PresetRow: Encodable {
    var key: String
    var title: String
    var source: String
    var note: String
    var limits: QuantityMap<Limits>
    var hysteresis: QuantityMap<Double>

    init(_ preset: LimitsPreset) {
        key = preset.key
        title = preset.title
        source = preset.source
        note = preset.note
        limits = preset.limits
        hysteresis = preset.hysteresis
    }
}
