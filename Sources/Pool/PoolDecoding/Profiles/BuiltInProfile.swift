public import PoolModel

/// A mapping for a known product or bridge, as a starting point.
public struct BuiltInProfile: Hashable, Sendable {
    /// The stable name, such as `zigbee2mqtt`: letters in lower case, digits and dashes.
    public let name: String
    /// What it is for, in one sentence.
    public let summary: String
    /// What the device's topic looks like; the mapping's `~` stands for it.
    public let exampleTopic: String
    /// How often such a device reports, or shows that it is alive, in seconds.
    public let expectedIntervalSeconds: Int
    /// The mapping, with `DeviceMapping.profile` set; nil if ``PayloadDecoder`` reads the messages without one.
    public let mapping: DeviceMapping?

    init(
        _ name: String, _ summary: String, topic: String, every expectedIntervalSeconds: Int,
        _ mapping: DeviceMapping? = nil
    ) {
        self.name = name
        self.summary = summary
        exampleTopic = topic
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.mapping = mapping.map { mapping in
            var mapping = mapping
            mapping.profile = name
            return mapping
        }
    }

    /// All profiles, in the order in which they are listed.
    public static let all: [BuiltInProfile] = bridges + controllers + gateways

    /// The profile with this name, ignoring its case.
    ///
    /// - Throws: ``UnknownProfile``, which lists the available names.
    public static func named(_ name: String) throws(UnknownProfile) -> BuiltInProfile {
        let folded = MappingWord.folded(name)
        guard let profile = all.first(where: { $0.name == folded }) else { throw UnknownProfile(name: name) }
        return profile
    }
}

/// A name that no built-in profile has.
public struct UnknownProfile: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requested name.
    public var name: String

    /// One sentence with the available names.
    public var description: String {
        "There is no profile \(Excerpt(name)): give one of "
            + BuiltInProfile.all.map(\.name).joined(separator: ", ") + "."
    }
}

extension ValuePath {
    /// The path with these keys.
    static func keys(_ keys: String...) -> ValuePath { ValuePath(keys.map { .key($0) }) }
}
