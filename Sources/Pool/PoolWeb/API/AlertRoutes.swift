import PoolControl
import PoolModel
import WebServer

/// The settings of alerts and the channels that take them out of the house, for owners.
struct AlertRoutes: Sendable {
    let hub: HubWatcher

    // MARK: - Settings

    func settings() throws -> WebResponse { try Self.view(try hub.snapshot()) }

    func editSettings(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(AlertSettingsTable.names)
        return try await hub.change(context) {
            AlertSettingsTable.tag($0.state.alerts.settings)
        } to: {
            let old = $0.state.alerts.settings
            let new = try AlertSettingsTable.changed(old, members)
            return .alerts(.change(AlertSettingsPatch(of: new).changes(from: AlertSettingsPatch(of: old))))
        } present: {
            try Self.view($0)
        }
    }

    private static func view(_ snapshot: ReceivedState) throws -> WebResponse {
        let settings = snapshot.state.alerts.settings
        return try WebResponse.json(AlertSettingsView(settings: settings))
            .with("etag", AlertSettingsTable.tag(settings))
    }

    // MARK: - Channels

    func channels() async throws -> WebResponse {
        let report = try await hub.ask(.alertReport(notices: 0))
        return try .json(ChannelRow.all.map { ChannelView($0, report) })
    }

    func channel(_ id: String) async throws -> WebResponse {
        try view(try Self.row(id), try await hub.ask(.alertReport(notices: 0)))
    }

    func editChannel(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let row = try Self.row(id)
        let members = try context.members(["isEnabled", "agrees", "fields", "secrets"])
        let plain = Set(row.fields.filter { !$0.isSecret }.map(\.name))
        let given = try members.optionalObject("fields", allowed: plain)
        let secrets = try members.optionalObject("secrets", allowed: Set(row.fields.map(\.name)).subtracting(plain))
        let isEnabled = try members.optionalFlag("isEnabled")
        let agrees = try members.optionalFlag("agrees") ?? false
        let before = try await hub.freshSnapshot()
        try hub.checkPrecondition(context, row.tag(before.state.alerts.settings), present: Self.view(before))
        let former = row.values(before.state.alerts.settings.channels)
        var values: [String: String]? = former ?? [:]
        for name in plain { if let value = try given?.optionalText(name) { values?[name] = value } }
        values = values?.filter { !$0.value.isEmpty }
        if isEnabled ?? (former != nil) {
            let wanted = values ?? [:]
            try row.check(wanted, in: before.state)
            if former.map(row.place) != row.place(wanted), !agrees {
                throw Problem(
                    .wrongMember, "\(row.disclosure(wanted)) Agree to it (agrees), or leave it off", member: "agrees")
            }
        } else {
            values = nil
        }
        // The secrets first, so that no notice leaves without them.
        var keepsSecret = row.hasSecretName(before.state.alerts.settings.channels)
        for field in row.fields where field.isSecret {
            guard let secret = try secrets?.optionalText(field.name) else { continue }
            let request = row.keep(secret, field.name, values ?? former ?? [:], before.state.alerts.settings.channels)
            _ = try await hub.ask(.alerts(request).authored(by: context.account.author))
            keepsSecret = !secret.isEmpty
        }
        let (isSecret, wanted) = (keepsSecret, values)
        if wanted != former || isSecret != row.hasSecretName(before.state.alerts.settings.channels) {
            _ = try await hub.change(context) {
                row.tag($0.state.alerts.settings)
            } to: { snapshot in
                let old = snapshot.state.alerts.settings
                var new = old
                row.set(&new.channels, wanted, isSecret)
                do throws(AlertSettingsError) {
                    try new.validate()
                } catch {
                    throw Problem(.wrongMember, "\(error)", member: "fields")
                }
                return .alerts(.change(AlertSettingsPatch(of: new).changes(from: AlertSettingsPatch(of: old))))
            } present: {
                try Self.view($0)
            }
        }
        return try view(row, try await hub.ask(.alertReport(notices: 0)))
    }

    func test(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        try await hub.perform(.alerts(.testChannel(try Self.row(id).channel)), context)
    }

    private func view(_ row: ChannelRow, _ report: AlertReport) throws -> WebResponse {
        try WebResponse.json(ChannelView(row, report)).with("etag", row.tag(report.settings))
    }

    private static func row(_ id: String) throws(Problem) -> ChannelRow {
        guard let row = ChannelRow.all.first(where: { $0.channel.rawValue == id }) else {
            throw Problem(.missing, "there is no channel \(Excerpt(id)): see /api/v1/alerts/channels", value: id)
        }
        return row
    }
}

/// The settings of alerts that the page has: one row each.
enum AlertSettingsTable {
    /// A setting that is on or off.
    struct Flag: Sendable {
        let name: String
        let path: any WritableKeyPath<AlertSettings, Bool> & Sendable
    }

    /// A setting that is a whole number; the hub checks its range.
    struct Number: Sendable {
        let name: String
        let path: any WritableKeyPath<AlertSettings, Int> & Sendable
        let range: ClosedRange<Int>
    }

    static let flags = [
        Flag(name: "isEnabled", path: \.isEnabled), Flag(name: "values", path: \.alertsOnValues),
        Flag(name: "missing", path: \.alertsOnMissing), Flag(name: "faults", path: \.alertsOnFaults),
        Flag(name: "connections", path: \.alertsOnConnections), Flag(name: "recoveries", path: \.tellsRecoveries),
        Flag(name: "repeats", path: \.repeatsUntilAcknowledged), Flag(name: "terminal", path: \.channels.terminal),
        Flag(name: "desktop", path: \.channels.desktop), Flag(name: "watches", path: \.channels.watches),
    ]
    static let numbers = [
        Number(name: "cooldownSeconds", path: \.cooldownSeconds, range: 60...3600),
        Number(name: "longestRepeatSeconds", path: \.longestRepeatSeconds, range: 3600...604_800),
        Number(name: "confirmationSamples", path: \.confirmationSamples, range: 1...20),
        Number(name: "confirmationSeconds", path: \.confirmationSeconds, range: 0...3600),
        Number(name: "missingDelaySeconds", path: \.missingDelaySeconds, range: 0...86_400),
        Number(name: "connectionDelaySeconds", path: \.connectionDelaySeconds, range: 0...3600),
    ]

    static let names = Set(flags.map(\.name) + numbers.map(\.name) + ["muted", "quietHours", "language"])

    /// The tag of what this table has; channels have their own.
    static func tag(_ settings: AlertSettings) -> String { EntityTag.of(AlertSettingsView(settings: settings)) }

    /// The settings with the given members.
    static func changed(_ old: AlertSettings, _ members: RequestMembers) throws(Problem) -> AlertSettings {
        var new = old
        for flag in flags {
            if let isOn = try members.optionalFlag(flag.name) { new[keyPath: flag.path] = isOn }
        }
        for number in numbers {
            if let value = try members.optionalInteger(number.name, number.range) { new[keyPath: number.path] = value }
        }
        if members.has("muted") {
            new.mutedQuantities = Set(try members.optionalChoices("muted", Quantity.self))
        }
        if let language = try members.optionalText("language") {
            guard let known = TextLanguage.allCases.first(where: { $0.code == language }) else {
                throw members.wrong(
                    "language", "one of " + TextLanguage.allCases.map(\.code).joined(separator: ", "))
            }
            new.language = known
        }
        if members.isNull("quietHours") {
            new.quietHours = nil
        } else if let quiet = try members.optionalObject("quietHours", allowed: ["start", "end", "criticalPasses"]) {
            let (start, end) = (try quiet.integer("start", 0...1439), try quiet.integer("end", 0...1439))
            guard start != end else { throw quiet.wrong("end", "another minute than start") }
            new.quietHours = QuietHours(
                startMinute: start, endMinute: end,
                letsCriticalPass: try quiet.optionalFlag("criticalPasses") ?? true)
        }
        return new
    }
}

/// The settings of alerts as the page shows them.
struct AlertSettingsView: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var settings: AlertSettings

    /// Writes every member; null for no quiet hours.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for flag in AlertSettingsTable.flags {
            try container.encode(settings[keyPath: flag.path], forKey: Key(flag.name))
        }
        for number in AlertSettingsTable.numbers {
            try container.encode(settings[keyPath: number.path], forKey: Key(number.name))
        }
        try container.encode(
            Quantity.allCases.filter(settings.mutedQuantities.contains), forKey: Key("muted"))
        try container.encode(settings.language.code, forKey: Key("language"))
        try container.encode(settings.quietHours, forKey: Key("quietHours"))
    }
}
