extension AlertSettings {
    /// Checks every field against its documented range.
    ///
    /// - Throws: The first ``AlertSettingsError`` in the order of the fields.
    public func validate() throws(AlertSettingsError) {
        try Self.check(cooldownSeconds, "cooldownSeconds", 60...3600)
        try Self.check(longestRepeatSeconds, "longestRepeatSeconds", 3600...604_800)
        try Self.check(confirmationSamples, "confirmationSamples", 1...20)
        try Self.check(confirmationSeconds, "confirmationSeconds", 0...3600)
        for (quantity, distance) in hysteresis.pairs {
            let range = quantity.plausibleRange
            guard distance >= 0, distance <= (range.upperBound - range.lowerBound) / 2 else {
                throw .hysteresisOutOfRange(quantity, distance)
            }
        }
        try Self.check(missingDelaySeconds, "missingDelaySeconds", 0...86_400)
        try Self.check(connectionDelaySeconds, "connectionDelaySeconds", 0...3600)
        if let quietHours {
            try Self.check(quietHours.startMinute, "quietHours.start", 0...1439)
            try Self.check(quietHours.endMinute, "quietHours.end", 0...1439)
            guard quietHours.startMinute != quietHours.endMinute else { throw .quietHoursEmpty(quietHours.startMinute) }
        }
        try channels.validate()
    }

    private static func check(
        _ value: Int, _ field: String, _ range: ClosedRange<Int>
    ) throws(AlertSettingsError) {
        guard range.contains(value) else { throw .outOfRange(field: field, value: value, range: range) }
    }
}

extension AlertChannelSettings {
    /// Checks topic, address and the secret's name.
    ///
    /// - Throws: ``AlertSettingsError``.
    public func validate() throws(AlertSettingsError) {
        if let mqtt {
            if let flaw = TopicProblem.find(in: mqtt.topic) { throw .topicInvalid(mqtt.topic, flaw) }
            let count = mqtt.topic.utf8.count
            guard count <= 1024 else { throw .textTooLong(field: "mqtt.topic", byteCount: count, limit: 1024) }
        }
        for service in PhoneService.table {
            if let settings = phones[service.channel] { try service.check(settings) }
        }
        guard let webhook else { return }
        let count = webhook.url.utf8.count
        guard count <= 2048 else { throw .textTooLong(field: "webhook.url", byteCount: count, limit: 2048) }
        if let flaw = WebhookAddressProblem.find(in: webhook.url) { throw .webhookInvalid(flaw) }
        guard let name = webhook.secretName else { return }
        let isName = name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isName, (1...128).contains(name.utf8.count) else { throw .secretNameInvalid }
    }
}

/// Why alerts cannot be sent to an address.
public enum WebhookAddressProblem: String, Hashable, Sendable {
    /// It begins with neither `http://` nor `https://`.
    case scheme
    /// It names no host.
    case host
    /// Its port is not in 1…65535.
    case port
    /// It contains a user name or a password, which would be stored and shown in plain text.
    case credentials
    /// It contains a blank, a control character, or a character outside ASCII.
    case character
    /// It contains a fragment (`#…`), which is never sent.
    case fragment

    /// The first problem of an address; nil if the address can be used.
    public static func find(in url: String) -> WebhookAddressProblem? {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\\<>\"`{}|^".utf8.contains($0) }) else {
            return .character
        }
        let lower = url.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else { return .scheme }
        if url.contains("#") { return .fragment }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        if authority.contains("@") { return .credentials }
        var host = Substring(authority)
        var port: Substring?
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            let rest = host[host.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return .host }
            port = rest.isEmpty ? nil : rest.dropFirst()
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.firstIndex(of: ":") {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        if HostProblem.find(in: String(host)) != nil { return .host }
        guard let port else { return nil }
        let isNumber = !port.isEmpty && port.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber && Server.portRange.contains(Int(port) ?? 0) ? nil : .port
    }
}

/// Why alert settings were refused; nothing was changed.
@nonexhaustive
public enum AlertSettingsError: Error, Hashable, Sendable {
    /// A number is outside its range.
    case outOfRange(field: String, value: Int, range: ClosedRange<Int>)
    /// A hysteresis is negative, not finite, or more than half of the quantity's plausible range.
    case hysteresisOutOfRange(Quantity, Double)
    /// Quiet hours begin and end at the same minute.
    case quietHoursEmpty(Int)
    /// A topic is not a valid MQTT topic name.
    case topicInvalid(String, TopicProblem)
    /// A text has more bytes than its limit.
    case textTooLong(field: String, byteCount: Int, limit: Int)
    /// An address cannot be used.
    ///
    /// The error does not contain it, because it may contain a password.
    case webhookInvalid(WebhookAddressProblem)
    /// The name of a secret is not valid.
    ///
    /// The error does not contain it, because it may be the secret itself.
    case secretNameInvalid
    /// A service for phones lacks a field that it needs; what the field is.
    case phoneFieldMissing(service: String, field: String, String)
    /// A field of a service for phones has a value that it cannot have; nil if the value may contain a password.
    case phoneFieldInvalid(service: String, field: String, value: String?, expected: String)
}

extension AlertSettingsError: CustomStringConvertible {
    /// One sentence for a person: the field, the value and what to do.
    public var description: String {
        switch self {
        case .outOfRange(let field, let value, let range):
            "The alert setting \(field) is \(value): give a number from \(range.lowerBound) to \(range.upperBound)."
        case .hysteresisOutOfRange(let quantity, let value):
            "The hysteresis of \(quantity.name) is \(value): give 0 or a distance in its unit, such as "
                + "\(quantity.facts.hysteresis)."
        case .quietHoursEmpty(let minute):
            "The quiet hours begin and end at minute \(minute): give two different times, or leave them out."
        case .topicInvalid(let topic, let flaw): "The topic \(Excerpt(topic)) for alerts \(flaw)."
        case .textTooLong(let field, let byteCount, let limit):
            "The alert setting \(field) has \(byteCount) bytes, at most \(limit) are possible: shorten it."
        case .webhookInvalid(let flaw):
            switch flaw {
            case .scheme: "The webhook's address must begin with http:// or https://: write it in full."
            case .host: "The webhook's address names no host: give one, such as https://example.org/alerts."
            case .port: "The webhook's address has a port that is not in 1…65535: correct it or leave it out."
            case .credentials:
                "The webhook's address holds a user name or password, which is not kept secret: "
                    + "store a secret and give its name instead."
            case .character: "The webhook's address holds a character that no address can: percent-encode it."
            case .fragment: "The webhook's address holds a fragment (#…), which is never sent: leave it out."
            }
        case .secretNameInvalid:
            "The name of the webhook's secret must be 1 to 128 visible ASCII characters: give the name it is stored under."
        case .phoneFieldMissing(let service, let field, let meaning):
            "\(service) needs \(meaning): give \(field)=VALUE."
        case .phoneFieldInvalid(let service, let field, let value, let expected):
            "The \(field) of \(service) is \(value.map { "\(Excerpt($0))" } ?? "not valid"): give \(expected)."
        }
    }
}
