package import Logging
import Platform
import PoolControl
package import PoolModel
package import WebServer

extension WebAPI {
    /// Creates the answerer of the pool's page.
    ///
    /// - Parameters:
    ///   - settings: How the server is reached.
    ///   - hub: The hub.
    ///   - accounts: The accounts.
    ///   - setupCode: The code of the first account.
    ///   - logger: Gets what goes wrong in the server.
    ///   - clock: The time of sessions.
    ///   - steadyClock: The time of the limits of attempts and requests.
    package convenience init(
        settings: WebSettings, hub: HubWatcher, accounts: AccountStore, setupCode: SetupCode,
        logger: Logger = Logger(label: "web"), clock: @escaping @Sendable () -> Timestamp = { .now },
        steadyClock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.init(
            settings: settings, accounts: accounts, setupCode: setupCode, logger: logger, clock: clock,
            steadyClock: steadyClock, resource: { PoolPage.find($0) }
        ) { parts in
            let handlers = RouteHandlers(parts, hub: hub)
            return PoolRoutes.all.map { $0.served(by: handlers) }
        }
    }
}

extension RouteHandlers {
    fileprivate init(_ parts: WebAPI.Parts, hub: HubWatcher) {
        self.init(
            accounts: parts.accountHandlers { scope in
                let state = try hub.snapshot().state
                return PoolID(scope).flatMap { state.pool($0) } != nil
            },
            water: WaterRoutes(hub: hub),
            history: HistoryRoutes(hub: hub, accounts: parts.accounts, streams: parts.streams, clock: parts.clock),
            advice: AdviceRoutes(hub: hub), hubRoutes: HubRoutes(hub: hub), servers: ServerRoutes(hub: hub),
            devices: DeviceRoutes(hub: hub), detection: DetectionRoutes(hub: hub), alertSettings: AlertRoutes(hub: hub),
            keeping: KeepingRoutes(hub: hub),
            events: EventRoutes(source: EventSource(parts), hub: hub, certificate: parts.settings.certificate),
            metrics: MetricsRoute(hub: hub, streams: parts.streams, counts: parts.counts), hub: hub)
    }
}
