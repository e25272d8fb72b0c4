import PoolControl
import PoolModel
import WebServer

/// A channel that takes alerts out of the hub: one row of ``all``.
struct ChannelRow: Sendable {
    /// What a person gives.
    struct Field: Sendable {
        let name: String
        /// What it is, for people.
        let meaning: String
        let isSecret: Bool
        let isRequired: Bool
    }

    let channel: AlertChannel
    let name: String
    let fields: [Field]
    /// The values of the fields that are no secrets; nil if the channel is off.
    let values: @Sendable (AlertChannelSettings) -> [String: String]?
    /// Switches the channel on with values, or off without; the flag says whether a secret is kept under a name.
    let set: @Sendable (inout AlertChannelSettings, [String: String]?, Bool) -> Void
    /// Where notices go, to which a person agrees.
    let place: @Sendable ([String: String]) -> String
    /// What leaves the house, in one sentence.
    let disclosure: @Sendable ([String: String]) -> String
    /// The request that keeps a secret; an empty one forgets it.
    let keep:
        @Sendable (
            _ secret: String, _ field: String, _ values: [String: String], _ settings: AlertChannelSettings
        ) -> AlertRequest

    /// The tag of its settings.
    func tag(_ settings: AlertSettings) -> String {
        EntityTag.of(["\(hasSecretName(settings.channels))": values(settings.channels)])
    }

    /// Whether the settings name a secret; services for phones name none.
    func hasSecretName(_ settings: AlertChannelSettings) -> Bool {
        channel == .webhook && settings.webhook?.secretName != nil
    }

    /// Checks values that switch it on.
    func check(_ values: [String: String], in state: HubState) throws(Problem) {
        for field in fields where field.isRequired && !field.isSecret && values[field.name] == nil {
            throw Problem(
                .wrongMember, "\(name) needs \(field.meaning): give fields.\(field.name)",
                member: "fields.\(field.name)")
        }
        if let server = values["serverID"], !state.servers.contains(where: { "\($0.id)" == server }) {
            throw Problem(
                .wrongMember, "there is no server \(Excerpt(server)): see /api/v1/servers", member: "fields.serverID")
        }
        guard let service = channel.phoneService else { return }
        do throws(AlertSettingsError) {
            try service.check(PhoneSettings(values))
        } catch {
            let field = if case .phoneFieldInvalid(_, let field, _, _) = error { "fields.\(field)" } else { "fields" }
            throw Problem(.wrongMember, "\(error)", member: field)
        }
    }

    // MARK: - The rows

    static let all = [mqtt, webhook] + PhoneService.table.map(phone)

    private static let mqtt = ChannelRow(
        channel: .mqtt, name: "MQTT",
        fields: [
            Field(name: "topic", meaning: "the topic to publish to", isSecret: false, isRequired: true),
            Field(
                name: "serverID", meaning: "the server to publish to; without it all servers", isSecret: false,
                isRequired: false),
        ],
        values: { settings in
            settings.mqtt.map { mqtt in
                ["topic": mqtt.topic, "serverID": mqtt.serverID.map { "\($0)" } ?? ""].filter { !$0.value.isEmpty }
            }
        },
        set: { settings, values, _ in
            settings.mqtt = values.map {
                .init(serverID: $0["serverID"].flatMap { ServerID($0) }, topic: $0["topic"] ?? "")
            }
        },
        place: { $0["serverID"] ?? "" },
        disclosure: { values in
            "All who may read the topic \(values["topic"] ?? "") of \(values["serverID"] == nil ? "any server" : "that server") "
                + "get each notice with names, values and limits."
        },
        keep: { secret, field, _, _ in .setSigningSecret(secret, name: field) })

    /// The name under which the page keeps the secret of the webhook, if it has none yet.
    private static let secretName = "page"

    private static let webhook = ChannelRow(
        channel: .webhook, name: "Webhook",
        fields: [
            Field(name: "url", meaning: "the address to which each notice is sent", isSecret: false, isRequired: true),
            Field(
                name: "secret", meaning: "the secret that signs the notices", isSecret: true, isRequired: false),
        ],
        values: { $0.webhook.map { ["url": $0.url] } },
        set: { settings, values, keepsSecret in
            let name = keepsSecret ? settings.webhook?.secretName ?? secretName : nil
            settings.webhook = values.map { .init(url: $0["url"] ?? "", secretName: name) }
        },
        place: { $0["url"] ?? "" },
        disclosure: { values in
            let url = values["url"] ?? ""
            return "\(url.isEmpty ? "The address" : url) gets each notice with names, values and limits"
                + (url.lowercased().hasPrefix("http://") ? ", over a connection that is not encrypted." : ".")
        },
        keep: { secret, _, _, settings in
            .setSigningSecret(secret, name: settings.webhook?.secretName ?? secretName)
        })

    private static func phone(_ service: PhoneService) -> ChannelRow {
        let channel = service.channel
        return ChannelRow(
            channel: channel, name: service.name,
            fields: service.allFields.map {
                Field(name: $0.name, meaning: $0.meaning, isSecret: $0.isSecret, isRequired: $0.isRequired)
            },
            values: { $0.phones[channel]?.fields },
            set: { settings, values, _ in settings.phones[channel] = values.map { PhoneSettings($0) } },
            place: { service.address(in: PhoneSettings($0)) },
            disclosure: { service.disclosure(of: PhoneSettings($0)) },
            keep: { secret, field, values, _ in
                .setPhoneSecret(
                    secret, channel, field: field, server: service.address(in: PhoneSettings(values)))
            })
    }
}

/// A channel as owners see it: of a secret only whether it is stored.
struct ChannelView: Encodable {
    struct Field: Encodable {
        var name: String
        var meaning: String
        var isSecret: Bool
        var isRequired: Bool
        var value: String?
        var isStored: Bool?
    }

    var channel: AlertChannel
    var name: String
    var isEnabled: Bool
    var trouble: String?
    var fields: [Field]
    /// What leaves the house with each notice.
    var leaves: String

    init(_ row: ChannelRow, _ report: AlertReport) {
        let known = report.channels.first { $0.channel == row.channel }
        let values = row.values(report.settings.channels)
        channel = row.channel
        name = row.name
        isEnabled = values != nil
        trouble = known?.trouble
        leaves = row.disclosure(values ?? [:])
        fields = row.fields.map { field in
            let isStored =
                known?.secrets?.contains(field.name) ?? row.hasSecretName(report.settings.channels)
            return Field(
                name: field.name, meaning: field.meaning, isSecret: field.isSecret, isRequired: field.isRequired,
                value: field.isSecret ? nil : values?[field.name], isStored: field.isSecret ? isStored : nil)
        }
    }
}
