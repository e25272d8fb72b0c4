extension ConfigurationMerge {
    /// Two merged records that could not be distinguished, although each side alone had no such pair.
    public enum Clash: Hashable, Sendable {
        /// Two records of a kind would have the same name.
        case name(ConfigurationError.RecordKind, String, ids: [String])
        /// Two devices of a server would have the same topic and the same mapping.
        case topic(String, devices: [String])
    }

    /// The pairs of records that prevent the merge: each record is valid on its side, but not together with the
    /// other.
    ///
    /// A person refers to records by their names, and a reading belongs to one device. So such a merge is refused, as
    /// an edit would be. A pair that one side already has is accepted, because the merge does not cause it.
    public var clashes: [Clash] {
        nameClashes(.server, \.servers, { $0.name })
            + nameClashes(.device, \.devices, { $0.name })
            + nameClashes(.pool, \.pools, { $0.name })
            + topicClashes
    }

    private func nameClashes<Thing: Nameable>(
        _ thing: ConfigurationError.RecordKind, _ records: KeyPath<PoolConfiguration, [Thing]>,
        _ name: (Thing) -> String
    ) -> [Clash] {
        pairs(records, by: name).map { first, second in
            .name(thing, name(first), ids: [first, second].map { String("\($0.id)".prefix(8)) })
        }
    }

    private var topicClashes: [Clash] {
        pairs(\.devices) { MessagePlace(server: $0.serverID, topic: Array($0.topic.utf8), mapping: $0.mapping) }
            .map { .topic($0.topic, devices: [$0.name, $1.name]) }
    }

    /// The pairs of merged records that share a trait, if neither side alone has that pair.
    private func pairs<Thing: Nameable, Trait: Hashable>(
        _ records: KeyPath<PoolConfiguration, [Thing]>, by trait: (Thing) -> Trait
    ) -> [(Thing, Thing)] {
        let known = [mine, theirs].map { side in
            Dictionary(side[keyPath: records].map { ($0.id, trait($0)) }) { first, _ in first }
        }
        let groups = Dictionary(grouping: merged[keyPath: records], by: trait).values.filter { $0.count > 1 }
        return groups.flatMap { group in
            group.dropFirst().compactMap { later in
                // The first record of a group represents the others.
                let isKnown = known.contains { side in
                    guard let first = side[group[0].id] else { return false }
                    return first == side[later.id]
                }
                return isKnown ? nil : (group[0], later)
            }
        }.sorted { $0.1.id < $1.1.id }
    }
}

/// A record with an identifier.
private protocol Nameable: Identified {
    var id: Identifier<Self> { get }
}

extension Server: Nameable {}
extension Device: Nameable {}
extension Pool: Nameable {}

/// The properties that decide which device a message belongs to.
private struct MessagePlace: Hashable {
    var server: ServerID
    var topic: [UInt8]
    var mapping: DeviceMapping?
}

extension ConfigurationMerge.Clash: CustomStringConvertible {
    /// The clash, and what to do about it.
    public var description: String {
        switch self {
        case .name(let thing, let name, let ids):
            "two of the \(thing.rawValue)s would be called \(Excerpt(name)) (\(ids.joined(separator: ", "))): rename or "
                + "remove the one that this hub has, with `poolsensors \(thing.rawValue) edit` or `remove`, or keep the "
                + "other side's names"
        case .topic(let topic, let devices):
            "the devices \(devices.map { "\(Excerpt($0))" }.joined(separator: " and ")) would have the same topic "
                + "\(Excerpt(topic)), and a reading could belong to either: remove the one that this hub has, with "
                + "`poolsensors device remove` (its readings stay), or give it another topic"
        }
    }
}
