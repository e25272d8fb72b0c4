import PoolModel

/// A mapping with the device's topic filled in, and the roles of each topic.
struct MappingPlan: Sendable {
    /// The purposes of messages on a topic, as indexes into the lists of the plan.
    struct TopicRoles: Sendable {
        var values: [Int] = []
        var times: [Int] = []
        var units: [Int] = []
        var availability: [Int] = []
        var isHeartbeat = false

        var isHeartbeatOnly: Bool { values.isEmpty && times.isEmpty && units.isEmpty && availability.isEmpty }
        var isEmpty: Bool { isHeartbeatOnly && !isHeartbeat }

        mutating func merge(_ other: TopicRoles) {
            values += other.values
            times += other.times
            units += other.units
            availability += other.availability
            isHeartbeat = isHeartbeat || other.isHeartbeat
        }
    }

    /// A source with the indexes of its time and unit topics, if it has such.
    struct Value: Sendable {
        var source: ValueSource
        var time: TimeSource?
        var timeIndex: Int?
        var unitIndex: Int?

        /// The places of a sample: of its value, its time, its conditions.
        var samplePaths: [ValuePath] {
            [source.path] + [time?.path].compactMap(\.self) + source.conditions.map(\.path)
        }

        /// The same source for one sample.
        func inSample(_ index: Int) -> Value {
            var value = self
            value.source.path = source.path.inSample(index)
            for place in source.conditions.indices {
                value.source.conditions[place].path = source.conditions[place].path.inSample(index)
            }
            if let place = source.unitPlace, place.topic == nil {
                value.source.unitPlace?.path = place.path.inSample(index)
            }
            if let time, time.topic == nil { value.time?.path = time.path.inSample(index) }
            return value
        }
    }

    private(set) var values: [Value] = []
    private(set) var times: [TimeSource] = []
    private(set) var units: [UnitPlace] = []
    private(set) var availability: [AvailabilitySource] = []
    private(set) var filters: [String] = []
    private var rolesByTopic: [String: TopicRoles] = [:]
    private var wildcards: [(pattern: TopicPattern, roles: TopicRoles)] = []
    private let deviceTopic: String

    init(_ mapping: DeviceMapping, deviceTopic: String) throws(MappingError) {
        self.deviceTopic = deviceTopic
        for source in mapping.values { try add(source, timeOfAll: mapping.time) }
        for source in mapping.availability {
            try add(TopicRoles(availability: [availability.count]), for: source.topic)
            availability.append(source)
        }
        for topic in mapping.heartbeats { try add(TopicRoles(isHeartbeat: true), for: topic) }
    }

    func concerns(_ topic: String) -> Bool {
        rolesByTopic[topic] != nil || wildcards.contains { $0.pattern.matches(topic) }
    }

    func roles(of topic: String) -> TopicRoles {
        var roles = rolesByTopic[topic] ?? TopicRoles()
        for (pattern, others) in wildcards where pattern.matches(topic) { roles.merge(others) }
        // The order of the mapping decides which of two sources of a quantity counts.
        roles.values.sort()
        return roles
    }

    private mutating func add(_ source: ValueSource, timeOfAll: TimeSource?) throws(MappingError) {
        var value = Value(source: source, time: source.time ?? timeOfAll)
        try add(TopicRoles(values: [values.count]), for: source.topic)
        if let time = value.time, let topic = time.topic {
            if let index = times.firstIndex(of: time) {
                value.timeIndex = index
            } else {
                value.timeIndex = times.count
                try add(TopicRoles(times: [times.count]), for: topic)
                times.append(time)
            }
        }
        if let unit = source.unitPlace, let topic = unit.topic {
            if let index = units.firstIndex(of: unit) {
                value.unitIndex = index
            } else {
                value.unitIndex = units.count
                try add(TopicRoles(units: [units.count]), for: topic)
                units.append(unit)
            }
        }
        values.append(value)
    }

    private mutating func add(_ roles: TopicRoles, for topic: String) throws(MappingError) {
        guard let pattern = TopicPattern(topic, deviceTopic: deviceTopic) else {
            throw .topicInvalid(field: "The topic", topic: topic, .aboveRoot(deviceTopic: deviceTopic))
        }
        if !filters.contains(pattern.filter) { filters.append(pattern.filter) }
        if !pattern.hasWildcards {
            rolesByTopic[pattern.filter, default: TopicRoles()].merge(roles)
        } else if let index = wildcards.firstIndex(where: { $0.pattern == pattern }) {
            wildcards[index].roles.merge(roles)
        } else {
            wildcards.append((pattern, roles))
        }
    }
}
