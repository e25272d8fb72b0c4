import ArgumentParser
import CommandSupport
import Foundation
import PoolDecoding
import PoolModel

/// The flags that describe the messages of a device; see Docs/guide/mappings.md.
struct MappingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Start from a built-in profile; see `device profiles`.", valueName: "profile"))
    var profile: String?

    @Option(help: ArgumentHelp("Start from a mapping as JSON, as `device show --json` has it.", valueName: "file"))
    var mapping: String?

    @Option(
        help: ArgumentHelp("Where a value is, such as 'ph=~/probe#pH*0.01'; repeatable.", valueName: "quantity=place"))
    var value: [String] = []

    @Option(help: ArgumentHelp("Where the time of the samples is; empty for none.", valueName: "place"))
    var time: String?

    @Option(
        help: ArgumentHelp("Where it is said whether it is there; repeatable; empty for none.", valueName: "topic"))
    var availability: [String] = []

    @Option(help: ArgumentHelp("Where a number or id of the measurement is; empty for none.", valueName: "path"))
    var measurementID: String?

    @Option(
        help: ArgumentHelp("A topic that says that it is alive; repeatable; empty for none.", valueName: "topic"))
    var heartbeat: [String] = []

    @Flag(inversion: .prefixedNo, help: "It publishes a value only when that changed.")
    var changesOnly: Bool?

    @Flag(name: .customLong("no-mapping"), help: "Forget the mapping; with --value begin a new one.")
    var removesMapping = false

    /// How the flags change a mapping.
    enum Change: Equatable {
        /// It stays the same.
        case none
        /// It is removed.
        case removed
        /// It is replaced by this one.
        case mapping(DeviceMapping)
    }

    /// Whether any of the flags was given.
    var saysSomething: Bool { removesMapping || profile != nil || mapping != nil || saysDetails }

    private var saysDetails: Bool {
        !value.isEmpty || time != nil || !availability.isEmpty || measurementID != nil || !heartbeat.isEmpty
            || changesOnly != nil
    }

    func validate() throws {
        if profile != nil, mapping != nil { throw ValidationError("give --profile or --mapping, not both") }
        _ = try builtIn()
        // The notation is checked before the hub is asked.
        if saysDetails { _ = try detailed(DeviceMapping(values: [])) }
    }

    /// The profile with the given name.
    func builtIn() throws -> BuiltInProfile? {
        do {
            return try profile.map { try BuiltInProfile.named($0) }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// How the flags change the mapping of a device.
    func change(of old: DeviceMapping?) throws -> Change {
        guard saysSomething else { return .none }
        var base = removesMapping ? nil : old
        if let profile = try builtIn() { base = profile.mapping }
        if let mapping { base = try Self.read(mapping) }
        guard saysDetails else { return base.map { .mapping($0) } ?? .removed }
        let detailed = try detailed(base ?? DeviceMapping(values: []))
        guard !detailed.values.isEmpty else {
            throw ValidationError("a mapping needs a value: give --value 'quantity=place', or start from a --profile")
        }
        return .mapping(detailed)
    }

    /// A mapping with the changes of the single flags.
    private func detailed(_ base: DeviceMapping) throws -> DeviceMapping {
        var mapping = base
        let sources = try value.map { text in try Self.parsed("--value") { try ValueSource(notation: text) } }
        let named = Set(sources.map(\.quantity))
        mapping.values = mapping.values.filter { !named.contains($0.quantity) } + sources
        if let time {
            mapping.time = time.isEmpty ? nil : try Self.parsed("--time") { try TimeSource(notation: time) }
        }
        if !availability.isEmpty {
            mapping.availability = try availability.filter { !$0.isEmpty }
                .map { text in try Self.parsed("--availability") { try AvailabilitySource(notation: text) } }
        }
        if let measurementID {
            mapping.measurementID =
                measurementID.isEmpty ? nil : try Self.parsed("--measurement-id") { try ValuePath(text: measurementID) }
        }
        if !heartbeat.isEmpty { mapping.heartbeats = heartbeat.filter { !$0.isEmpty } }
        if let changesOnly { mapping.publishesChangesOnly = changesOnly }
        return mapping
    }

    private static func parsed<Part>(_ flag: String, _ read: () throws -> Part) throws -> Part {
        do {
            return try read()
        } catch {
            throw ValidationError("\(flag): \(error)")
        }
    }

    private static func read(_ path: String) throws -> DeviceMapping {
        do {
            let bytes = try Data(contentsOf: URL(filePath: path))
            return try CanonicalJSON.decode(DeviceMapping.self, from: Array(bytes))
        } catch {
            throw CommandFailure.unreadable("a mapping from the file", path, error)
        }
    }

    /// Checks that a mapping is valid.
    ///
    /// - Throws: ``CommandFailure`` with the reason if it is not.
    static func check(_ mapping: DeviceMapping, onTopic topic: String) throws {
        do {
            _ = try MappingDecoder(mapping: mapping, deviceTopic: topic)
        } catch {
            throw CommandFailure("the mapping is not possible: \(error)")
        }
    }
}
