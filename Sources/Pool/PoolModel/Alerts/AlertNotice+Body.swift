extension AlertNotice {
    /// The message for machines, over MQTT and in a webhook: canonical JSON, described in `Docs/guide/alerts.md`.
    ///
    /// Members without a value are absent. Equal notices have equal bytes.
    public var body: [UInt8] {
        CanonicalJSON.bytes(
            ofEncodable: Body(
                version: 1, id: id, episode: episodeID, key: key, kind: kind, severity: severity,
                condition: key.condition, name: name, device: key.deviceID, quantity: key.quantity,
                side: key.side?.rawValue, unit: key.side == nil ? nil : key.quantity?.facts.unit.symbol, value: value,
                limit: limit,
                beyond: beyond, since: since.iso8601, until: until?.iso8601,
                at: at.iso8601, repeats: repeats, text: text))
    }

    private struct Body: Encodable {
        var version: Int
        var id: String
        var episode: AlertEpisodeID
        var key: AlertKey
        var kind: Kind
        var severity: AlertSeverity
        var condition: AlertCondition
        var name: String
        var device: DeviceID?
        var quantity: Quantity?
        var side: String?
        var unit: String?
        var value: Double?
        var limit: Double?
        var beyond: Double?
        var since: String
        var until: String?
        var at: String
        var repeats: Int
        var text: String
    }
}

/// The signed content of a webhook request.
public enum WebhookBody {
    /// The input of the HMAC: the time of sending in whole seconds since 1970, in decimal, a dot, and the body.
    ///
    /// The time lets a receiver refuse an old request that somebody recorded. The same text is sent together with the
    /// signature; each new attempt uses a new time.
    public static func signatureInput(sentAt moment: Timestamp, body: [UInt8]) -> [UInt8] {
        Array("\(moment.milliseconds.flooredDivision(by: 1000)).".utf8) + body
    }
}
