extension DeviceReadings {
    private enum Key: String, CodingKey {
        case deviceID
        case order
        case values
        case lastSeen
        case awaited
        case awaitedToo
        case absentSince
        case isAbsenceDoubted
    }

    /// Reads a state; in one of an earlier version, no quantities are awaited, and the device is not absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            deviceID: try container.decode(DeviceID.self, forKey: .deviceID),
            order: try container.decode(UInt64.self, forKey: .order),
            values: try container.decode(QuantityMap<LatestValue>.self, forKey: .values),
            lastSeen: try container.decodeIfPresent(Timestamp.self, forKey: .lastSeen),
            awaited: try [Key.awaited, .awaitedToo].flatMap {
                try container.decodeIfPresent([String].self, forKey: $0) ?? []
            }.compactMap { Quantity(rawValue: $0) },
            absentSince: try container.decodeIfPresent(Timestamp.self, forKey: .absentSince),
            isAbsenceDoubted: try container.decodeIfPresent(Bool.self, forKey: .isAbsenceDoubted) ?? false)
    }

    /// Writes the state; absent values are absent members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(deviceID, forKey: .deviceID)
        try container.encode(order, forKey: .order)
        try container.encode(values, forKey: .values)
        try container.encodeIfPresent(lastSeen, forKey: .lastSeen)
        if !awaitedOfOld.isEmpty { try container.encode(awaitedOfOld, forKey: .awaited) }
        if !awaitedOfNew.isEmpty { try container.encode(awaitedOfNew, forKey: .awaitedToo) }
        try container.encodeIfPresent(absentSince, forKey: .absentSince)
        if isAbsenceDoubted { try container.encode(true, forKey: .isAbsenceDoubted) }
    }

    /// The awaited quantities that peers of all versions know: those of early versions cannot read a list with others.
    private var awaitedOfOld: [Quantity] { awaited.filter { $0.facts.firstVersion == 1 } }
    private var awaitedOfNew: [Quantity] { awaited.filter { $0.facts.firstVersion > 1 } }

    /// The same bytes as from ``CanonicalJSON``, but much faster, because each reading needs them more than once.
    ///
    /// - Throws: ``CanonicalJSON/Failure`` when a value is not finite.
    public func canonicalJSON() throws(CanonicalJSON.Failure) -> [UInt8] {
        // JSON cannot represent such numbers; the general encoder produces the error for them.
        guard values.pairs.allSatisfy({ $0.value.value.isFinite }) else { return try CanonicalJSON.encode(self) }
        var text = "{"
        if let absentSince { text += "\"absentSince\":\(absentSince.milliseconds)," }
        for (key, quantities) in [("awaited", awaitedOfOld), ("awaitedToo", awaitedOfNew)] where !quantities.isEmpty {
            text += "\"\(key)\":[\(quantities.map { "\"\($0.rawValue)\"" }.joined(separator: ","))],"
        }
        text += "\"deviceID\":\"\(deviceID)\","
        if isAbsenceDoubted { text += "\"isAbsenceDoubted\":true," }
        if let lastSeen { text += "\"lastSeen\":\(lastSeen.milliseconds)," }
        text += "\"order\":\(order),\"values\":{"
        var isFirst = true
        for (quantity, latest) in values.pairs.sorted(by: { $0.quantity.rawValue < $1.quantity.rawValue }) {
            if !isFirst { text += "," }
            isFirst = false
            text += "\"\(quantity.rawValue)\":"
            latest.appendJSON(to: &text)
        }
        text += "}}"
        return Array(text.utf8)
    }
}

extension LatestValue {
    fileprivate func appendJSON(to text: inout String) {
        text += "{\"receivedAt\":\(receivedAt.milliseconds),"
        if let sampledAt { text += "\"sampledAt\":\(sampledAt.milliseconds)," }
        text += "\"timeQuality\":\"\(timeQuality.rawValue)\","
        if let trend { text += "\"trend\":\"\(trend.rawValue)\"," }
        text += "\"value\":"
        // A whole number has no fraction in JSON.
        let number = value.description
        text += number.hasSuffix(".0") ? String(number.dropLast(2)) : number
        text += "}"
    }
}
