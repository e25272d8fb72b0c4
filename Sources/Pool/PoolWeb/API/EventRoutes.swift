import Platform
import PoolModel
import WebServer

/// The streams of events.
struct EventRoutes: Sendable {
    let settings: WebSettings
    let hub: HubWatcher
    let accounts: AccountStore
    let streams: StreamPlaces
    let clock: @Sendable () -> Timestamp

    /// How often a stream looks whether it may go on: it ends within a second when its account loses its rights.
    private static let checkInterval = Duration.milliseconds(500)

    func events(_ context: RequestContext) throws -> WebResponse {
        let place = try streams.take(context.account)
        return WebResponse.streaming("text/event-stream") { [self] stream in
            defer { withExtendedLifetime(place) {} }
            try await follow(context, stream)
        }.with("x-accel-buffering", "no")
    }

    private func follow(_ context: RequestContext, _ stream: any WebStream) async throws {
        var account = context.account
        // Not the present one: rights may have ended since the request was checked.
        var generation: UInt64?
        var events = EventStream(account, served: settings.certificate)
        var pinged = ContinuousClock.now
        let ticks = Ticks(Self.checkInterval, besides: [hub.changes(), accounts.changes()])
        // A client that asks again, asks in a second.
        try await stream.write(Array("retry: 1000\n\n".utf8))
        for await _ in ticks.stream {
            guard stream.isOpen else { return }
            let now = clock()
            let newest = accounts.generation
            if newest != generation || account.expires.map({ $0 <= now }) ?? false {
                generation = newest
                guard let found = try await accounts.account(of: context, at: now) else {
                    // So that what is shown goes at once: a stream that only ends is opened again.
                    return try await stream.write(Array("event: end\ndata: {}\n\n".utf8))
                }
                account = found
            }
            var text = try events.events(hub.view, for: account)
            if pinged.duration(to: .now) >= settings.pingInterval {
                text += try events.ping(hub.view, for: account)
                pinged = .now
            }
            if !text.isEmpty { try await stream.write(Array(text.utf8)) }
        }
    }
}

/// Something at once, at each wake, and after each interval.
private struct Ticks {
    let stream: AsyncStream<Void>

    init(_ interval: Duration, besides wakes: [AsyncStream<Void>]) {
        let (stream, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        source.yield()
        let waking = wakes.map { wake in
            Task {
                for await _ in wake { source.yield() }
            }
        }
        let ticking = Task {
            while !Task.isCancelled {
                // Cancellation ends the pause and the loop.
                try? await Task.sleep(for: interval)
                source.yield()
            }
        }
        source.onTermination = { _ in
            for task in waking { task.cancel() }
            ticking.cancel()
        }
    }
}
