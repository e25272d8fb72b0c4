package import Text

/// What a stream of server-sent events shows to one client: what differs from what it has sent.
package protocol EventFeed: Sendable {
    /// The events that bring the client up to date; the first ones contain everything.
    mutating func events(for account: Account) async throws -> String
    /// The event that shows that the stream is open.
    mutating func ping(for account: Account) throws -> String
}

/// Streams of server-sent events, which end within a second when their account loses its rights.
package struct EventSource: Sendable {
    /// How often a stream usually looks whether it may go on, and what is new.
    package static let checkInterval = Duration.milliseconds(500)

    private let settings: WebSettings
    private let accounts: AccountStore
    private let streams: StreamPlaces
    private let clock: @Sendable () -> Timestamp

    /// Makes streams of a server.
    package init(
        settings: WebSettings, accounts: AccountStore, streams: StreamPlaces, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.settings = settings
        self.accounts = accounts
        self.streams = streams
        self.clock = clock
    }

    /// Makes streams of a server.
    package init(_ parts: WebAPI.Parts) {
        self.init(settings: parts.settings, accounts: parts.accounts, streams: parts.streams, clock: parts.clock)
    }

    /// A stream for the account that asks.
    ///
    /// - Parameters:
    ///   - context: The request.
    ///   - feed: What is shown.
    ///   - interval: How often it is looked at without a change, at most 1 s.
    ///   - changes: Something after each change of that.
    /// - Returns: The answer.
    /// - Throws: ``Problem`` if too many streams are open.
    package func stream(
        _ context: RequestContext, of feed: some EventFeed, every interval: Duration = checkInterval,
        changes: @escaping @Sendable () -> AsyncStream<Void>
    ) throws -> WebResponse {
        let place = try streams.take(context.account)
        return WebResponse.streaming("text/event-stream") { [self] stream in
            defer { withExtendedLifetime(place) {} }
            try await follow(context, feed, interval, changes(), stream)
        }.with("x-accel-buffering", "no")
    }

    private func follow(
        _ context: RequestContext, _ feed: some EventFeed, _ interval: Duration, _ changes: AsyncStream<Void>,
        _ stream: any WebStream
    ) async throws {
        var account = context.account
        // Not the present one: rights may have ended since the request was checked.
        var generation: UInt64?
        var feed = feed
        var pinged = ContinuousClock.now
        let ticks = Ticks(interval, besides: [changes, accounts.changes()])
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
            var text = try await feed.events(for: account)
            if pinged.duration(to: .now) >= settings.pingInterval {
                text += try feed.ping(for: account)
                pinged = .now
            }
            if !text.isEmpty { try await stream.write(Array(text.utf8)) }
        }
    }

    /// An event in the format of the HTML standard, section "Server-sent events"; JSON has no line breaks.
    package static func event(_ name: String, _ data: some Encodable, id: UInt64) throws -> String {
        "event: \(name)\nid: \(id)\ndata: \(try CanonicalJSON.output(data))\n\n"
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
