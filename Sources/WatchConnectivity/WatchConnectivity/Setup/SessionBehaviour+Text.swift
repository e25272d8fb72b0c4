extension SessionBehaviour {
    /// Reads members from a list such as `replyTimeout=2s,replaysContexts,drainOrderSeed=7`.
    mutating func read(_ list: String) throws(SessionSetupError) {
        for entry in list.split(separator: ",") {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            try set(parts[0], to: parts.count > 1 ? parts[1] : nil)
        }
    }

    private mutating func set(_ name: String, to text: String?) throws(SessionSetupError) {
        let entry = text.map { "\(name)=\($0)" } ?? name
        if let path = Self.switches[name] {
            self[keyPath: path] = try Self.parsed(entry, "on or off", Self.truth(text))
        } else if let path = Self.counts[name] {
            self[keyPath: path] = try Self.parsed(entry, "a whole number", text.flatMap { Int($0) })
        } else if let path = Self.durations[name] {
            self[keyPath: path] = try Self.parsed(
                entry, "a time such as 250ms or 2s", text.flatMap { Duration(watchConnectivity: $0) })
        } else if name == "backgroundTaskTime" {
            backgroundTaskTime = try Self.parsed(
                entry, "a time such as 250ms or 2s", text.flatMap { Duration(watchConnectivity: $0) })
        } else if name == "fileByteCountMax" {
            fileByteCountMax = try Self.parsed(entry, "a count of bytes", text.flatMap { UInt64($0) })
        } else if name == "drainOrderSeed" {
            drainOrderSeed = try Self.parsed(entry, "a whole number", text.flatMap { UInt64($0) })
        } else {
            throw .unusable(
                .behaviour, value: entry, wayOut: "name a member of SessionBehaviour, such as replyTimeout=2s")
        }
    }

    private static var switches: [String: WritableKeyPath<Self, Bool>] {
        [
            "callsErrorHandlerTwice": \.callsErrorHandlerTwice,
            "failsWithForeignErrors": \.failsWithForeignErrors, "replaysContexts": \.replaysContexts,
            "deliversLaunchContextTwice": \.deliversLaunchContextTwice, "claimsReachability": \.claimsReachability,
            "refusesComplicationWithoutFace": \.refusesComplicationWithoutFace,
            "reportsCancelledTransfers": \.reportsCancelledTransfers,
        ]
    }

    private static var counts: [String: WritableKeyPath<Self, Int>] {
        [
            "messageByteCountMax": \.messageByteCountMax, "userInfoByteCountMax": \.userInfoByteCountMax,
            "contextByteCountMax": \.contextByteCountMax, "complicationTransfersPerDay": \.complicationTransfersPerDay,
            "secondsFromUTC": \.secondsFromUTC,
        ]
    }

    private static var durations: [String: WritableKeyPath<Self, Duration>] {
        ["replyTimeout": \.replyTimeout, "messageDelay": \.messageDelay]
    }

    private static func truth(_ text: String?) -> Bool? {
        switch text {
        case nil, "on": true
        case "off": false
        default: nil
        }
    }

    private static func parsed<Value>(_ entry: String, _ form: String, _ value: Value?) throws(SessionSetupError)
        -> Value
    {
        guard let value else { throw .unusable(.behaviour, value: entry, wayOut: "write \(form)") }
        return value
    }
}
