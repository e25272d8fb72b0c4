import WebServer

/// The streams of events.
struct EventRoutes: Sendable {
    let source: EventSource
    let hub: HubWatcher
    let certificate: ServedCertificate?

    func events(_ context: RequestContext) throws -> WebResponse {
        let feed = HubFeed(hub: hub, stream: EventStream(context.account, served: certificate))
        return try source.stream(context, of: feed) { [hub] in hub.changes() }
    }
}

/// What the hub shows to one client.
private struct HubFeed: EventFeed {
    let hub: HubWatcher
    var stream: EventStream

    mutating func events(for account: Account) throws -> String { try stream.events(hub.view, for: account) }

    func ping(for account: Account) throws -> String { try stream.ping(hub.view, for: account) }
}
