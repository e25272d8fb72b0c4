extension ConfigurationMerge {
    /// Two records that could not be told apart, and that neither side had side by side.
    public enum Clash: Hashable, Sendable {
        /// Two of a kind would have a name.
        case name(ConfigurationError.Thing, String, ids: [String])
        /// Two devices of a server would have a topic, and the same mapping.
        case topic(String, devices: [String])
    }

    /// What stands against the merge: the pairs of records of which each is right on its side, but not together.
    ///
    /// A person names things by their names, and a reading belongs to one device. So such a merge is refused, as an
    /// edit would be; a pair that one side has already was not made by the merge and is taken as it is.
    public var clashes: [Clash] {
        nameClashes(.server, \.servers, { $0.name })
            + nameClashes(.device, \.devices, { $0.name })
            + nameClashes(.pool, \.pools, { $0.name })
            + topicClashes
    }

    private func nameClashes<Thing: Nameable>(
        _ thing: ConfigurationError.Thing, _ records: KeyPath<PoolConfiguration, [Thing]>, _ name: (Thing) -> String
    ) -> [Clash] {
        pairs(records, by: name).map { first, second in
            .name(thing, name(first), ids: [first, second].map { String("\($0.id)".prefix(8)) })
        }
    }

    private var topicClashes: [Clash] {
        pairs(\.devices) { MessagePlace(server: $0.serverID, topic: Array($0.topic.utf8), mapping: $0.mapping) }
            .map { .topic($0.topic, devices: [$0.name, $1.name]) }
    }

    /// The pairs of merged records that have something in common, where that is so on neither side.
    private func pairs<Thing: Nameable, Trait: Hashable>(
        _ records: KeyPath<PoolConfiguration, [Thing]>, by trait: (Thing) -> Trait
    ) -> [(Thing, Thing)] {
        let known = [mine, theirs].map { side in
            Dictionary(side[keyPath: records].map { ($0.id, trait($0)) }) { first, _ in first }
        }
        let groups = Dictionary(grouping: merged[keyPath: records], by: trait).values.filter { $0.count > 1 }
        return groups.flatMap { group in
            group.dropFirst().compactMap { later in
                // The first one of a group stands for those that are like it.
                let isKnown = known.contains { side in
                    guard let first = side[group[0].id] else { return false }
                    return first == side[later.id]
                }
                return isKnown ? nil : (group[0], later)
            }
        }.sorted { $0.1.id < $1.1.id }
    }
}

/// A record with an identity.
private protocol Nameable: Identified {
    var id: Identifier<Self> { get }
}

extension Server: Nameable {}
extension Device: Nameable {}
extension Pool: Nameable {}

/// What decides whose a message is.
private struct MessagePlace: Hashable {
    var server: ServerID
    var topic: [UInt8]
    var mapping: DeviceMapping?
}

extension ConfigurationMerge.Clash: CustomStringConvertible {
    /// What clashes, and the way out.
    public var description: String {
        switch self {
        case .name(let thing, let name, let ids):
            "two of the \(thing.rawValue)s would be called \(Excerpt(name)) (\(ids.joined(separator: ", "))): rename or "
                + "remove the one that this hub has, with `poolsensors \(thing.rawValue) edit` or `remove`, or keep the "
                + "other side's names"
        case .topic(let topic, let devices):
            "the devices \(devices.map { "\(Excerpt($0))" }.joined(separator: " and ")) would have the same topic "
                + "\(Excerpt(topic)), and nobody could say whose a reading is: remove the one that this hub has, with "
                + "`poolsensors device remove` (its readings stay), or give it another topic"
        }
    }
}
