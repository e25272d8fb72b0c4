import ArgumentParser
import CommandSupport
import PoolDecoding
import PoolModel

/// Lists the built-in profiles.
struct DeviceProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles", abstract: "Lists the products and bridges that are known, or shows one of them.",
        discussion: """
            Example:
              poolsensors device profiles
              poolsensors device profiles zigbee2mqtt
            """)

    @Argument(help: ArgumentHelp("Only this one, with its whole mapping.", valueName: "profile"))
    var profile: String?

    @OptionGroup var json: JSONOptions

    func run() async throws {
        do {
            let shown = try profile.map { [try BuiltInProfile.named($0)] } ?? BuiltInProfile.all
            if json.isOn { return try json.write(shown.map(ProfileRow.init)) }
            for line in ProfileList.lines(shown, isWhole: profile != nil) { Output.standard.line(line) }
        } catch let error as UnknownProfile {
            throw ValidationError("\(error)")
        }
    }
}

/// Formats the built-in profiles as text.
enum ProfileList {
    static func lines(_ profiles: [BuiltInProfile], isWhole: Bool) -> [String] {
        profiles.flatMap { profile -> [String] in
            let interval = DurationText.text(.seconds(profile.expectedIntervalSeconds))
            var lines = [
                profile.name, "  \(profile.summary)", "  topic such as \(profile.exampleTopic), every \(interval)",
            ]
            if let mapping = profile.mapping {
                let quantities = Quantity.allCases.filter { quantity in
                    mapping.values.contains { $0.quantity == quantity }
                }
                lines.append("  values: \(quantities.map(\.name).joined(separator: ", "))")
                if isWhole { lines += mapping.flagLines.dropFirst().map { "  --\($0.flag) '\($0.text)'" } }
            } else {
                let all = Quantity.allCases.map(\.name).joined(separator: ", ")
                lines.append("  values: \(all); no mapping is needed")
            }
            return lines
        }
    }
}

/// A built-in profile as JSON.
struct ProfileRow: Encodable {
    var name: String
    var summary: String
    var exampleTopic: String
    var expectedIntervalSeconds: Int
    var mapping: DeviceMapping?

    init(_ profile: BuiltInProfile) {
        name = profile.name
        summary = profile.summary
        exampleTopic = profile.exampleTopic
        expectedIntervalSeconds = profile.expectedIntervalSeconds
        mapping = profile.mapping
    }
}
