// The stored form: short, stable keys; members with default values are left out.

extension DeviceMapping: Codable {
    private enum CodingKeys: String, CodingKey {
        case profile
        case values
        case time
        case availability
        case measurementID = "measurement"
        case heartbeats
        case publishesChangesOnly = "changesOnly"
    }

    /// Writes the members that differ from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(profile, forKey: .profile)
        try container.encode(values, forKey: .values)
        try container.encodeIfPresent(time, forKey: .time)
        try container.encodeUnlessEmpty(availability, forKey: .availability)
        try container.encodeIfPresent(measurementID, forKey: .measurementID)
        try container.encodeUnlessEmpty(heartbeats, forKey: .heartbeats)
        if publishesChangesOnly { try container.encode(true, forKey: .publishesChangesOnly) }
    }

    /// Reads a mapping without checking it; see ``validate()``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            profile: try container.decodeIfPresent(String.self, forKey: .profile),
            values: try container.decodeIfPresent([ValueSource].self, forKey: .values) ?? [],
            time: try container.decodeIfPresent(TimeSource.self, forKey: .time),
            availability: try container.decodeIfPresent([AvailabilitySource].self, forKey: .availability) ?? [],
            measurementID: try container.decodeIfPresent(ValuePath.self, forKey: .measurementID),
            heartbeats: try container.decodeIfPresent([String].self, forKey: .heartbeats) ?? [],
            publishesChangesOnly: try container.decodeIfPresent(Bool.self, forKey: .publishesChangesOnly) ?? false)
    }
}

extension ValueSource: Codable {
    private enum CodingKeys: String, CodingKey {
        case quantity
        case topic
        case path
        case scale
        case offset
        case unit
        case unitPlace
        case time
        case sentinels
        case conditions
    }

    /// Writes the members that differ from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(quantity, forKey: .quantity)
        if topic != "~" { try container.encode(topic, forKey: .topic) }
        if path != .whole { try container.encode(path, forKey: .path) }
        if scale != 1 { try container.encode(scale, forKey: .scale) }
        if offset != 0 { try container.encode(offset, forKey: .offset) }
        if unit != quantity.facts.unit { try container.encode(unit, forKey: .unit) }
        try container.encodeIfPresent(unitPlace, forKey: .unitPlace)
        try container.encodeIfPresent(time, forKey: .time)
        try container.encodeUnlessEmpty(sentinels, forKey: .sentinels)
        try container.encodeUnlessEmpty(conditions, forKey: .conditions)
    }

    /// Reads a source without checking it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(Quantity.self, forKey: .quantity),
            topic: try container.decodeIfPresent(String.self, forKey: .topic) ?? "~",
            path: try container.decodeIfPresent(ValuePath.self, forKey: .path) ?? .whole,
            scale: try container.decodeIfPresent(Double.self, forKey: .scale) ?? 1,
            offset: try container.decodeIfPresent(Double.self, forKey: .offset) ?? 0,
            unit: try container.decodeIfPresent(SourceUnit.self, forKey: .unit),
            unitPlace: try container.decodeIfPresent(UnitPlace.self, forKey: .unitPlace),
            time: try container.decodeIfPresent(TimeSource.self, forKey: .time),
            sentinels: try container.decodeIfPresent([Double].self, forKey: .sentinels) ?? [],
            conditions: try container.decodeIfPresent([PayloadCondition].self, forKey: .conditions) ?? [])
    }
}

extension PayloadCondition: Codable {
    private enum CodingKeys: String, CodingKey {
        case path
        case words = "is"
        case others = "isNot"
    }

    /// Writes the members that differ from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encodeUnlessEmpty(words, forKey: .words)
        try container.encodeUnlessEmpty(others, forKey: .others)
    }

    /// Reads a condition without checking it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(ValuePath.self, forKey: .path),
            isOneOf: try container.decodeIfPresent([String].self, forKey: .words) ?? [],
            isNoneOf: try container.decodeIfPresent([String].self, forKey: .others) ?? [])
    }
}

extension TimeSource: Codable {
    private enum CodingKeys: String, CodingKey {
        case topic
        case path
        case form
        case zone
    }

    /// Writes the members that differ from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(topic, forKey: .topic)
        if path != .whole { try container.encode(path, forKey: .path) }
        if form != .automatic { try container.encode(form, forKey: .form) }
        try container.encodeIfPresent(zone, forKey: .zone)
    }

    /// Reads a source without checking it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            topic: try container.decodeIfPresent(String.self, forKey: .topic),
            path: try container.decodeIfPresent(ValuePath.self, forKey: .path) ?? .whole,
            form: try container.decodeIfPresent(Form.self, forKey: .form) ?? .automatic,
            zone: try container.decodeIfPresent(String.self, forKey: .zone))
    }
}

extension AvailabilitySource: Codable {
    private enum CodingKeys: String, CodingKey {
        case topic
        case path
        case online
        case offline
    }

    /// Writes the members that differ from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(topic, forKey: .topic)
        if path != .whole { try container.encode(path, forKey: .path) }
        if online != Self.usualOnline { try container.encode(online, forKey: .online) }
        if offline != Self.usualOffline { try container.encode(offline, forKey: .offline) }
    }

    /// Reads a source without checking it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            topic: try container.decode(String.self, forKey: .topic),
            path: try container.decodeIfPresent(ValuePath.self, forKey: .path) ?? .whole,
            online: try container.decodeIfPresent([String].self, forKey: .online) ?? Self.usualOnline,
            offline: try container.decodeIfPresent([String].self, forKey: .offline) ?? Self.usualOffline)
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encodeUnlessEmpty<Element: Encodable>(_ elements: [Element], forKey key: Key) throws {
        if !elements.isEmpty { try encode(elements, forKey: key) }
    }
}
