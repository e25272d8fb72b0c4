import PoolControl
import PoolModel
import WebServer

extension Route.Tag {
    fileprivate static let water: Route.Tag = "water"
    fileprivate static let history: Route.Tag = "history"
    fileprivate static let alerts: Route.Tag = "alerts"
    fileprivate static let servers: Route.Tag = "servers"
    fileprivate static let configuration: Route.Tag = "configuration"
    fileprivate static let watches: Route.Tag = "watches"
}

extension RouteParameter {
    fileprivate static let from = RouteParameter("from", .time, "The first sample time, with a zone.")
    fileprivate static let to = RouteParameter("to", .time, "The last sample time, with a zone.")

    /// The products at hand, each with its strength or without.
    fileprivate static let products: Kind = {
        let names = DoseProduct.allCases.filter { $0.quantity != nil }.map(\.rawValue)
        let one = "(\(names.joined(separator: "|")))(=[0-9]{1,3}(\\.[0-9]{1,4})?)?"
        return .pattern(
            "^\(one)(,\(one)){0,\(names.count - 1)}$", example: "sodium-hypochlorite=9.6,sodium-bisulfate")
    }()
}

extension RouteParameter.Kind {
    fileprivate static let quantity = RouteParameter.Kind.named("quantity")
    /// The beginning of a watch's key.
    fileprivate static let watch = RouteParameter.Kind.pattern("^[0-9a-f]{8}$")
    fileprivate static let conflict = RouteParameter.Kind.pattern("^[0-9a-f]{32}$")
    fileprivate static let channel = RouteParameter.Kind.pattern(
        "^(\(ChannelRow.all.map(\.channel.rawValue).joined(separator: "|")))$")
}

/// What answers the routes.
struct RouteHandlers: Sendable {
    let accounts: AccountRouteHandlers
    let water: WaterRoutes
    let history: HistoryRoutes
    let advice: AdviceRoutes
    let hubRoutes: HubRoutes
    let servers: ServerRoutes
    let devices: DeviceRoutes
    let detection: DetectionRoutes
    let alertSettings: AlertRoutes
    let keeping: KeepingRoutes
    let events: EventRoutes
    let metrics: MetricsRoute
    let hub: HubWatcher
}

/// The routes of the pool's page.
enum PoolRoutes {
    /// The routes, in the order of the document.
    static let all: [HandledRoute<RouteHandlers>] = [
        server, session, water, history, alerts, servers, configuration, watches, accounts,
    ].flatMap(\.self)

    private static let accountHandlers: @Sendable (RouteHandlers) -> AccountRouteHandlers = { $0.accounts }

    private static let server: [HandledRoute<RouteHandlers>] = [
        Route(
            "health", "GET", "/healthz", for: .nothing, in: .server, "Whether the server is up.",
            answer: .one("health", "It is.")
        ).handledForAll { handlers, _, _ in try .json(Health(isUp: true, isHubRunning: handlers.hub.view.isRunning)) },
        Route(
            "metrics", "GET", "/metrics", for: .metrics, in: .server, "Measurements for Prometheus.",
            note: "Off unless the server was started with --metrics; or with a token of the scope metrics.",
            answer: .text("text/plain; version=0.0.4", "Text of the version 0.0.4.")
        ).handledForAll { handlers, _, _ in handlers.metrics.metrics() },
        Route(
            "openapi", "GET", "/api/v1/openapi.json", for: .nothing, in: .server, "This document.",
            answer: .object("The document.")
        ).handledForAll { _, request, _ in PoolDocument.resource.response(to: request) },
    ]

    private static let session = AccountRouteTable.sessions.map { $0.answered(by: accountHandlers) }

    private static let water: [HandledRoute<RouteHandlers>] = [
        Route(
            "pools", "GET", "/api/v1/pools", for: .account, in: .water, "The pools.",
            answer: .list(of: "pool", "By name.")
        ).handled { try $0.water.pools($1) },
        Route(
            "addPool", "POST", "/api/v1/pools", for: .owner, in: .water, "Adds a pool.", body: "newPool",
            answer: .created("done", "Added."), isRefusable: true
        ).handled { try await $0.devices.addPool($1) },
        Route(
            "removePool", "DELETE", "/api/v1/pools/{pool}", for: .confirmedOwner, in: .water,
            "Removes a pool; its devices stay. Sensitive.", parameters: [.ifMatch], answer: .one("done", "Removed."),
            isRefusable: true
        ).handled { try await $0.devices.removePool($1.subject, $1) },
        Route(
            "pool", "GET", "/api/v1/pools/{pool}", for: .read, in: .water, "A pool.",
            answer: .one("pool", "The pool.").tagged
        ).handled { try $0.water.pool($1.subject, $1) },
        Route(
            "editPool", "PATCH", "/api/v1/pools/{pool}", for: .edit, in: .water, "Changes the name or the volume.",
            parameters: [.ifMatch], body: "poolEdit", answer: .one("pool", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.water.editPool($1.subject, $1) },
        Route(
            "poolLimits", "GET", "/api/v1/pools/{pool}/limits", for: .read, in: .water, "The limits of a pool.",
            answer: .one("limitsOfOwner", "The limits.").tagged
        ).handled { try $0.water.poolLimits($1.subject, $1) },
        Route(
            "setPoolLimits", "PUT", "/api/v1/pools/{pool}/limits", for: .edit, in: .water,
            "Replaces all own limits of a pool.", parameters: [.ifMatch], body: "ownLimits",
            answer: .one("limitsOfOwner", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.water.setPoolLimits($1.subject, $1) },
        Route(
            "presets", "GET", "/api/v1/limits/presets", for: .account, in: .water,
            "Recommended limits by kind of pool; a quantity without any keeps its own.",
            answer: .list(of: "preset", "In their order.")
        ).handled { handlers, _ in try handlers.keeping.presets() },
        Route(
            "devices", "GET", "/api/v1/devices", for: .account, in: .water, "The devices with their newest values.",
            parameters: [RouteParameter("pool", .id, "Only those of this pool.")],
            answer: .list(of: "device", "By name.")
        ).handled { try $0.water.devices($1) },
        Route(
            "addDevice", "POST", "/api/v1/devices", for: .owner, in: .water,
            "Adds a device that publishes the flat message to a topic; for others see the detection.",
            body: "newDevice", answer: .created("done", "Added."), isRefusable: true
        ).handled { try await $0.devices.addDevice($1) },
        Route(
            "removeDevice", "DELETE", "/api/v1/devices/{device}", for: .confirmedOwner, in: .water,
            "Removes a device; its readings stay in the history. Sensitive.", parameters: [.ifMatch],
            answer: .one("done", "Removed."), isRefusable: true
        ).handled { try await $0.devices.removeDevice($1.subject, $1) },
        Route(
            "source", "GET", "/api/v1/devices/{device}/source", for: .owner, in: .water,
            "Where a device publishes, and how its messages are read.",
            answer: .one("deviceSource", "The source.").tagged
        ).handled { try $0.devices.source($1.subject, $1) },
        Route(
            "editSource", "PATCH", "/api/v1/devices/{device}/source", for: .owner, in: .water,
            "Changes where a device publishes, its type or its interval; the mapping stays.", parameters: [.ifMatch],
            body: "sourceEdit", answer: .one("deviceSource", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.devices.editSource($1.subject, $1) },
        Route(
            "device", "GET", "/api/v1/devices/{device}", for: .read, in: .water, "A device with its newest values.",
            note: "The ETag covers name and pool, not the values.", answer: .one("device", "The device.").tagged
        ).handled { try $0.water.device($1.subject, $1) },
        Route(
            "editDevice", "PATCH", "/api/v1/devices/{device}", for: .edit, in: .water,
            "Changes the name or the pool.", parameters: [.ifMatch], body: "deviceEdit",
            answer: .one("device", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.water.editDevice($1.subject, $1) },
        Route(
            "deviceLimits", "GET", "/api/v1/devices/{device}/limits", for: .read, in: .water,
            "The limits of a device.", answer: .one("limitsOfOwner", "The limits.").tagged
        ).handled { try $0.water.deviceLimits($1.subject, $1) },
        Route(
            "setDeviceLimits", "PUT", "/api/v1/devices/{device}/limits", for: .edit, in: .water,
            "Replaces all own limits of a device.", parameters: [.ifMatch], body: "ownLimits",
            answer: .one("limitsOfOwner", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.water.setDeviceLimits($1.subject, $1) },
        Route(
            "calibrations", "GET", "/api/v1/devices/{device}/calibrations", for: .read, in: .water,
            "The calibrations of a device.", answer: .one("calibrations", "Oldest first.").tagged
        ).handled { try $0.water.calibrations($1.subject, $1) },
        Route(
            "calibrate", "POST", "/api/v1/devices/{device}/calibrations", for: .edit, in: .water,
            "Calibrates, with the checks of the command line.", parameters: [.ifMatch], body: "newCalibration",
            answer: .created("calibrationChange", "What changes; nothing was changed if isDryRun was true.").tagged,
            isRefusable: true
        ).handled { try await $0.water.calibrate($1.subject, $1) },
        Route(
            "removeCalibration", "DELETE", "/api/v1/devices/{device}/calibrations", for: .edit, in: .water,
            "Removes a calibration.",
            parameters: [
                RouteParameter("quantity", .quantity, isRequired: true, "Of which quantity."),
                RouteParameter("validFrom", .time, isRequired: true, "The time from which it holds."),
                .ifMatch,
            ],
            answer: .one("calibrations", "Removed.").tagged, isRefusable: true
        ).handled { try await $0.water.removeCalibration($1.subject, $1) },
        Route(
            "forecasts", "GET", "/api/v1/forecasts", for: .read, in: .water,
            "The forecasts of a device, or why there are none.",
            parameters: [RouteParameter("device", .id, isRequired: true, "The device.")],
            answer: .one("forecasts", "The forecasts."), isRefusable: true
        ).handled { try await $0.advice.forecasts($1) },
        Route(
            "advice", "GET", "/api/v1/advice", for: .read, in: .water,
            "What to add to a pool, and how long to filter it.",
            note: "Half of the computed amount, with all that it was computed from; nothing is dosed by it.",
            parameters: [
                RouteParameter("pool", .id, isRequired: true, "The pool."),
                RouteParameter(
                    "totalAlkalinity", .decimal(AdviceNumbers.totalAlkalinityRange), "In mg/L as calcium carbonate."),
                RouteParameter("cyanuricAcid", .decimal(AdviceNumbers.cyanuricAcidRange), "In mg/L."),
                RouteParameter("borates", .decimal(AdviceNumbers.boratesRange), "In mg/L as boron."),
                RouteParameter(
                    "turnoverHours", .decimal(AdviceNumbers.turnoverRange),
                    "The hours in which the pump moves all water once."),
                RouteParameter(
                    "product", RouteParameter.products,
                    "The products at hand, separated by commas; behind = the strength in percent if it is "
                        + "another than the usual one. A quantity without any is advised all products for it."),
            ],
            answer: .one("advice", "The advice."), isRefusable: true
        ).handled { try await $0.advice.advice($1) },
        Route(
            "doses", "GET", "/api/v1/doses", for: .account, in: .water, "What was added to the water, newest first.",
            parameters: [
                RouteParameter("pool", .id, "Only those of this pool."),
                RouteParameter("limit", .integer(1...DoseRequest.listMax, usual: 20), "How many."),
            ],
            answer: .list(of: "dose", "The doses."), isRefusable: true
        ).handled { try await $0.advice.doses($1) },
        Route(
            "addDose", "POST", "/api/v1/doses", for: .edit, in: .water, "Logs what was added.", body: "newDose",
            answer: .created("dose", "Logged."), isRefusable: true
        ).handled { try await $0.advice.addDose($1) },
        Route(
            "removeDose", "DELETE", "/api/v1/doses/{dose}", for: .edit, in: .water, "Removes a dose from the log.",
            answer: .one("done", "Done."), isRefusable: true
        ).handled { try await $0.advice.removeDose($1.subject, $1) },
        Route(
            "events", "GET", "/api/v1/events", for: .account, in: .water, "Server-sent events.",
            note: "Events: `configuration` (eventConfiguration), `alert` (eventAlert), `link` (link), "
                + "then each as it changes, `reading` (eventReading) for new values, and `ping` (link) "
                + "every 15 s. A stream ends within a second when the account loses its rights; its "
                + "last event is then `end`, without members.",
            parameters: [
                .header("Last-Event-ID", "A stream always begins with all that is known, so nothing is lost.")
            ],
            answer: .text("text/event-stream", "A stream; id is the change number of the hub.")
        ).handled { try $0.events.events($1) },
    ]

    private static let history: [HandledRoute<RouteHandlers>] = [
        Route(
            "readings", "GET", "/api/v1/devices/{device}/readings", for: .read, in: .history,
            "Readings, newest first.",
            parameters: [
                RouteParameter("quantity", .quantity, "Only readings with it, and only it."),
                .from, .to,
                RouteParameter("limit", .integer(1...5000, usual: 100), "How many."),
                RouteParameter("cursor", .text, "The cursor of the page before."),
            ],
            answer: .one("readings", "A page."), isRefusable: true
        ).handled { try await $0.history.readings($1.subject, $1) },
        Route(
            "series", "GET", "/api/v1/devices/{device}/series", for: .read, in: .history, "The course of a quantity.",
            note: "Without from and to: the last day.",
            parameters: [
                RouteParameter("quantity", .quantity, isRequired: true, "Which."),
                .from, .to,
                RouteParameter("points", .integer(2...500, usual: 200), "At most so many points."),
            ],
            answer: .one("series", "The course."), isRefusable: true
        ).handled { try await $0.history.series($1.subject, $1) },
        Route(
            "export", "GET", "/api/v1/devices/{device}/export.csv", for: .read, in: .history,
            "Readings as CSV, newest first, one page after the other.",
            parameters: [.from, .to], answer: .text("text/csv", "The file."), isRefusable: true
        ).handled { try $0.history.export($1.subject, $1) },
        Route(
            "keeping", "GET", "/api/v1/history", for: .owner, in: .history,
            "How long the history is kept, and its periodic export.", answer: .one("keeping", "The settings.").tagged,
            isRefusable: true
        ).handled { handlers, _ in try await handlers.keeping.keeping() },
        Route(
            "removal", "GET", "/api/v1/history/removal", for: .owner, in: .history,
            "How many readings would go if they were kept for fewer days.",
            parameters: [RouteParameter("rawDays", .integer(HistorySettings.rawRange, usual: 30), "The days.")],
            answer: .one("removal", "The number."), isRefusable: true
        ).handled { try await $0.keeping.removal($1) },
        Route(
            "editKeeping", "PATCH", "/api/v1/history", for: .confirmedOwner, in: .history,
            "Changes how long the history is kept; what is older is removed. Sensitive.", parameters: [.ifMatch],
            body: "keepingEdit", answer: .one("keeping", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.keeping.edit($1) },
        Route(
            "editExport", "PATCH", "/api/v1/history/export", for: .confirmedOwner, in: .history,
            "Changes the periodic export, which must be on; its folder stays. Sensitive.", parameters: [.ifMatch],
            body: "exportEdit", answer: .one("keeping", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.keeping.editExport($1) },
        Route(
            "endExport", "DELETE", "/api/v1/history/export", for: .confirmedOwner, in: .history,
            "Switches the periodic export off. Sensitive.", parameters: [.ifMatch],
            answer: .one("keeping", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.keeping.endExport($1) },
    ]

    private static let alerts: [HandledRoute<RouteHandlers>] = [
        Route(
            "alerts", "GET", "/api/v1/alerts", for: .account, in: .alerts, "The open alerts.",
            parameters: [
                RouteParameter("notices", .integer(0...1000, usual: 0), "Also so many of the latest notices.")
            ],
            answer: .one("alerts", "Worst first.")
        ).handled { try await $0.hubRoutes.alerts($1) },
        Route(
            "poolAlerts", "GET", "/api/v1/pools/{pool}/alerts", for: .read, in: .alerts, "The open alerts of a pool.",
            note: "Those of its devices; connections to brokers belong to no pool.",
            parameters: [
                RouteParameter("notices", .integer(0...1000, usual: 0), "Also so many of its latest notices.")
            ], answer: .one("alerts", "Worst first."), isRefusable: true
        ).handled { try await $0.hubRoutes.alerts(ofPool: $1.subject, $1) },
        Route(
            "acknowledge", "POST", "/api/v1/alerts/{alert}/acknowledge", for: .edit, in: .alerts,
            "Acknowledges an alert: it is not repeated unless it gets worse.", answer: .one("done", "Done."),
            isRefusable: true
        ).handled { try await $0.hubRoutes.acknowledge($1.subject, $1) },
        Route(
            "snooze", "POST", "/api/v1/alerts/{alert}/snooze", for: .edit, in: .alerts,
            "Snoozes an alert for a while.", body: "snooze", answer: .one("done", "Done."), isRefusable: true
        ).handled { try await $0.hubRoutes.snooze($1.subject, $1) },
        Route(
            "alertSettings", "GET", "/api/v1/alerts/settings", for: .owner, in: .alerts, "The settings of alerts.",
            answer: .one("alertSettings", "The settings.").tagged
        ).handled { handlers, _ in try handlers.alertSettings.settings() },
        Route(
            "editAlertSettings", "PATCH", "/api/v1/alerts/settings", for: .owner, in: .alerts,
            "Changes settings of alerts; what is left out stays.", parameters: [.ifMatch], body: "alertSettingsEdit",
            answer: .one("alertSettings", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.alertSettings.editSettings($1) },
        Route(
            "channels", "GET", "/api/v1/alerts/channels", for: .owner, in: .alerts,
            "The channels that take alerts out of the hub.", note: "Of a secret only whether it is stored.",
            answer: .list(of: "channel", "In their order."), isRefusable: true
        ).handled { handlers, _ in try await handlers.alertSettings.channels() },
        Route(
            "channel", "GET", "/api/v1/alerts/channels/{channel}", for: .owner, in: .alerts, "A channel.",
            subject: .channel,
            answer: .one("channel", "The channel.").tagged, isRefusable: true
        ).handled { try await $0.alertSettings.channel($1.subject) },
        Route(
            "editChannel", "PATCH", "/api/v1/alerts/channels/{channel}", for: .confirmedOwner, in: .alerts,
            "Switches a channel on or off, and changes its fields and secrets. Sensitive.", subject: .channel,
            note: "Where notices go to another place than before, agrees must be true.", parameters: [.ifMatch],
            body: "channelEdit", answer: .one("channel", "Changed.").tagged, isRefusable: true
        ).handled { try await $0.alertSettings.editChannel($1.subject, $1) },
        Route(
            "testChannel", "POST", "/api/v1/alerts/channels/{channel}/test", for: .confirmedOwner, in: .alerts,
            "Sends a test notice over a channel that is on. Sensitive.", subject: .channel,
            answer: .one("done", "It was accepted."),
            isRefusable: true
        ).handled { try await $0.alertSettings.test($1.subject, $1) },
    ]

    private static let servers: [HandledRoute<RouteHandlers>] = [
        Route(
            "servers", "GET", "/api/v1/servers", for: .owner, in: .servers,
            "The MQTT servers, without passwords and paths of files.", answer: .list(of: "mqttServer", "By name.")
        ).handled { handlers, _ in try handlers.servers.servers() },
        Route(
            "addServer", "POST", "/api/v1/servers", for: .confirmedOwner, in: .servers,
            "Adds a server, if the test of the connection works or isUntested is true. Sensitive.",
            body: "newServer", answer: .created("mqttServer", "Added.").tagged, isRefusable: true
        ).handled { try await $0.servers.add($1) },
        Route(
            "testServer", "POST", "/api/v1/servers/tests", for: .confirmedOwner, in: .servers,
            "Tests a connection, and changes nothing. Sensitive.",
            note: "Of a known server if serverID is there, with what the other members change; of a new one otherwise.",
            body: "serverTrial", answer: .one("serverTest", "How it ended."), isRefusable: true
        ).handled { try await $0.servers.test($1) },
        Route(
            "server", "GET", "/api/v1/servers/{server}", for: .owner, in: .servers, "A server.",
            note: "The ETag covers what can be changed, not the state of the connection.",
            answer: .one("mqttServer", "The server.").tagged
        ).handled { handlers, context in try handlers.servers.server(context.subject) },
        Route(
            "editServer", "PATCH", "/api/v1/servers/{server}", for: .confirmedOwner, in: .servers,
            "Changes a server; a change of the connection is tested first unless isUntested is true. Sensitive.",
            note: "A stored password goes to no other address: with host, port or usesTLS send the password, too.",
            parameters: [.ifMatch], body: "serverEdit", answer: .one("mqttServer", "Changed.").tagged,
            isRefusable: true
        ).handled { try await $0.servers.edit($1.subject, $1) },
        Route(
            "removeServer", "DELETE", "/api/v1/servers/{server}", for: .confirmedOwner, in: .servers,
            "Removes a server, and its devices if withDevices is true. Sensitive.",
            parameters: [
                RouteParameter("withDevices", .pattern("^(true|false)$"), "Whether its devices go, too."), .ifMatch,
            ], answer: .one("done", "Removed."), isRefusable: true
        ).handled { try await $0.servers.remove($1.subject, $1) },
        Route(
            "detection", "GET", "/api/v1/detection", for: .owner, in: .servers,
            "What the last detection has found so far; it may still run.", answer: .one("detection", "The detection."),
            isRefusable: true
        ).handled { handlers, _ in try await handlers.detection.look() },
        Route(
            "beginDetection", "POST", "/api/v1/detection", for: .owner, in: .servers,
            "Begins to listen to a server for devices; one that runs ends.", body: "newDetection",
            answer: .created("detection", "It has begun."), isRefusable: true
        ).handled { try await $0.detection.begin($1) },
        Route(
            "endDetection", "DELETE", "/api/v1/detection", for: .owner, in: .servers,
            "Ends the detection; what it found stays.", answer: .one("detection", "What was found."),
            isRefusable: true
        ).handled { handlers, _ in try await handlers.detection.end() },
        Route(
            "addDetected", "POST", "/api/v1/detection/devices", for: .owner, in: .servers,
            "Adds a device that was found; where a quantity is doubtful, a suggestion must be chosen.",
            body: "detectedDevice", answer: .created("done", "Added."), isRefusable: true
        ).handled { try await $0.detection.add($1) },
    ]

    private static let configuration: [HandledRoute<RouteHandlers>] = [
        Route(
            "conflicts", "GET", "/api/v1/conflicts", for: .editAll, in: .configuration, "The open conflicts.",
            note: "For owners, and members of all pools.", answer: .list(of: "conflict", "The list.")
        ).handled { try $0.hubRoutes.conflicts($1) },
        Route(
            "restoreConflict", "POST", "/api/v1/conflicts/{conflict}/restore", for: .editAll, in: .configuration,
            "Restores the value that lost.", subject: .conflict, answer: .one("done", "Done."), isRefusable: true
        ).handled { try await $0.hubRoutes.settle($1.subject, restoring: true, $1) },
        Route(
            "dismissConflict", "POST", "/api/v1/conflicts/{conflict}/dismiss", for: .editAll, in: .configuration,
            "Dismisses a conflict.", subject: .conflict, answer: .one("done", "Done."), isRefusable: true
        ).handled { try await $0.hubRoutes.settle($1.subject, restoring: false, $1) },
        Route(
            "changes", "GET", "/api/v1/changes", for: .owner, in: .configuration,
            "The latest changes of the configuration, oldest first.",
            parameters: [RouteParameter("last", .integer(1...1000, usual: 50), "How many.")],
            answer: .list(of: "change", "The list.")
        ).handled { try await $0.hubRoutes.changes($1) },
    ]

    private static let watches: [HandledRoute<RouteHandlers>] = [
        Route(
            "watches", "GET", "/api/v1/watches", for: .owner, in: .watches, "The paired watches.",
            answer: .list(of: "watch", "By name.")
        ).handled { handlers, _ in try handlers.hubRoutes.watches() },
        Route(
            "invite", "POST", "/api/v1/watches/invitations", for: .confirmedOwner, in: .watches,
            "Creates a code for one watch. Sensitive.", body: "newInvitation",
            answer: .created("invitation", "The code, once."), isRefusable: true
        ).handled { try await $0.hubRoutes.invite($1) },
        Route(
            "unpair", "DELETE", "/api/v1/watches/{watch}", for: .confirmedOwner, in: .watches,
            "Unpairs a watch. Sensitive.", subject: .watch, answer: .one("done", "Done."), isRefusable: true
        ).handled { try await $0.hubRoutes.unpair($1.subject, $1) },
    ]

    private static let accounts = AccountRouteTable.accounts(.poolsensors).map {
        $0.answered(by: accountHandlers)
    }
}

/// Whether the server is up.
private struct Health: Encodable {
    var isUp: Bool
    var isHubRunning: Bool
}
