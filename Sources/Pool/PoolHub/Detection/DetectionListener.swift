import Brokers
import HomeAssistantMQTT
import MQTT
import Platform
import PoolControl
import PoolDecoding
import PoolModel

/// A detection: a temporary client that receives all messages of a broker for a while, and leaves no session behind.
final class DetectionListener: Sendable {
    /// The allowed durations of a detection, in seconds.
    static let secondsRange = 1...3600
    /// All topics except the broker's own ones; and announcements, which some brokers allow although they refuse `#`.
    private static let filters = ["#", "\(HomeAssistantTopic.defaultPrefix)/#"]

    /// The state of the connections to the broker; `trouble` says in words what is wrong.
    ///
    ///     connecting ──accepted──▶ listening ──ended──▶ reconnecting
    ///         │                     │     ▲              │  │  ▲ │
    ///         │                     │     └───accepted───┘  │  └─┘ ended
    ///         └───────ended─────────┴───────────────────────┴──▶ over
    ///
    /// A listener that the broker had accepted is over when only a person can solve why its connection ended. Each state
    /// is over when the time is, when the task is cancelled, and when there can be no client.
    private enum State {
        /// The broker has not accepted the listener yet.
        case connecting
        /// The broker has accepted it; there is trouble if it does not show everything.
        case listening(trouble: String?)
        /// The connection has ended, and another one is tried.
        case reconnecting(trouble: String)
        /// There will be no more connections.
        case over(trouble: String?)

        var trouble: String? {
            switch self {
            case .connecting: nil
            case .listening(let trouble), .over(let trouble): trouble
            case .reconnecting(let trouble): trouble
            }
        }

        /// The broker shows less than everything, or nothing.
        mutating func handle(trouble: String) {
            switch self {
            case .listening: self = .listening(trouble: trouble)
            case .connecting, .reconnecting, .over: break
            }
        }

        /// A connection has ended by itself.
        ///
        /// - Returns: Whether another one is tried.
        mutating func connectionEnded(trouble: String, needsAttention: Bool) -> Bool {
            switch self {
            case .listening, .reconnecting:
                self = needsAttention ? .over(trouble: trouble) : .reconnecting(trouble: trouble)
                return !needsAttention
            case .connecting, .over:
                self = .over(trouble: trouble)
                return false
            }
        }
    }

    private struct Facts {
        var detection = Detection()
        var state = State.connecting
        var ends: ContinuousClock.Instant
    }

    let server: Server
    private let password: String?
    private let duration: Duration
    private let facts: Lock<Facts>

    init(_ server: Server, password: String?, duration: Duration) {
        self.server = server
        self.password = password
        self.duration = duration
        facts = Lock(Facts(ends: .now.advanced(by: duration)))
    }

    /// Listens until the time is over or the task is cancelled; reconnects if the connection ends.
    ///
    /// If the broker rejects the first attempt, the detection ends at once.
    func run() async {
        let deadline = facts.withLock { facts in
            facts.ends = .now.advanced(by: duration)
            return facts.ends
        }
        while !Task.isCancelled, ContinuousClock.now < deadline {
            guard let reason = await listenOnce(until: deadline) else { break }
            let trouble = server.brokerAdvice.words(for: reason, of: server.brokerSettings)
            let triesAgain = facts.withLock {
                $0.state.connectionEnded(trouble: trouble, needsAttention: reason.needsAttention)
            }
            guard triesAgain else { break }
            // Cancellation ends the wait and then the loop.
            try? await Task.sleep(for: .seconds(1))
        }
        facts.withLock { $0.state = .over(trouble: $0.state.trouble) }
    }

    /// The progress, and what was found.
    func progress(in configuration: PoolConfiguration) -> DetectionProgress {
        let (report, state, ends) = facts.withLock { facts in
            (facts.detection.report(), facts.state, facts.ends)
        }
        let devices = configuration.devices(of: server.id)
        let isOver = if case .over = state { true } else { false }
        let isListening = if case .listening = state { true } else { false }
        let left = isOver ? .zero : max(.zero, ends - .now)
        return DetectionProgress(
            serverID: server.id, server: server.name, isOver: isOver,
            secondsLeft: Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0),
            isListening: isListening, trouble: state.trouble, messages: report.counts.messages,
            lines: report.textLines(), json: report.jsonLine(),
            offers: report.proposals.map { proposal in
                DetectionOffer(proposal, knownAs: devices.first { $0.isKnown(as: proposal) }?.name)
            })
    }

    /// Runs one connection; returns why it ended, or nil if the time was over.
    private func listenOnce(until deadline: ContinuousClock.Instant) async -> Client.EndReason? {
        let (ends, source) = AsyncStream<Client.EndReason?>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let client: Client
        do {
            // Without a client identifier, the broker keeps no session.
            client = try Client(server.brokerSettings.options(password: password, clientIdentifier: nil))
            try client.connect(to: server.brokerSettings.address()) { [self, weak client] event in
                if case .ended(let reason) = event {
                    source.yield(reason)
                } else if let client {
                    handle(event, client)
                }
            }
        } catch {
            facts.withLock { $0.state = .over(trouble: "\(error)") }
            return nil
        }
        let timer = Task {
            // Cancellation only makes it earlier.
            try? await Task.sleep(until: deadline, clock: .continuous)
            source.yield(nil)
        }
        let reason = await withTaskCancellationHandler {
            await ends.first { _ in true } ?? nil
        } onCancel: {
            source.yield(nil)
        }
        timer.cancel()
        client.close()
        return reason
    }

    private func handle(_ event: Client.Event, _ client: Client) {
        switch event {
        case .connected:
            facts.withLock { $0.state = .listening(trouble: nil) }
            do {
                try client.subscribe(to: Self.filters.map { text throws(MQTTError) in try TopicFilter(text) })
            } catch {
                facts.withLock { $0.state.handle(trouble: "\(error)") }
            }
        case .subscribed(_, let answers):
            // One answer contains all filters.
            let refused = answers.filter { !$0.isGranted }.map { "\($0.filter)" }.sorted()
            guard refused.contains("#") else { return }
            let trouble =
                "the broker refuses to show everything (\(refused.joined(separator: ", "))): "
                + "allow this user to read # for the time of the detection, or add the device by hand"
            facts.withLock { $0.state.handle(trouble: trouble) }
        case .message(let message):
            // A broker that grants both filters may send announcements twice; that does not change the report.
            facts.withLock { facts in
                facts.detection.absorb(
                    topic: message.topic.text, payload: message.payload, isRetained: message.isRetained,
                    receivedAt: .now)
            }
        case .pause, .published, .unsubscribed, .ended: break
        }
    }
}

extension Device {
    /// Whether it is the proposed device: it has the same topic and, on a shared topic, the same conditions.
    fileprivate func isKnown(as proposal: DeviceProposal) -> Bool {
        guard topic == proposal.topic else { return false }
        let values = proposal.mapping?.values ?? []
        let shared = values.dropFirst().reduce(Set(values.first?.conditions ?? [])) { $0.intersection($1.conditions) }
        return shared.isEmpty || mapping?.values.contains { shared.isSubset(of: $0.conditions) } == true
    }
}

extension DetectionOffer {
    /// Creates an offer from a proposal.
    init(_ proposal: DeviceProposal, knownAs: String?) {
        self.init(
            name: proposal.name, topic: proposal.topic, mapping: proposal.mapping,
            expectedIntervalSeconds: proposal.expectedIntervalSeconds.map {
                min(max($0, Device.intervalRange.lowerBound), Device.intervalRange.upperBound)
            },
            obstacle: Self.obstacle(of: proposal), knownAs: knownAs,
            suggestions: proposal.suggestions.map { suggestion in
                Suggestion(
                    words: Self.words(of: suggestion), quantity: suggestion.quantity,
                    values: proposal.values(of: suggestion))
            }, openQuantities: proposal.openQuantities, openReasons: proposal.openReasons,
            leftOut: proposal.leftOut.isEmpty ? nil : Self.leftOut(of: proposal), preview: Self.preview(of: proposal))
    }

    /// What is not read, with the suggestion that adds it.
    private static func leftOut(of proposal: DeviceProposal) -> [String] {
        proposal.leftOut.map { quantity in
            let place = proposal.suggestions.firstIndex { $0.quantity == quantity }
            return "\(quantity.name) is left out" + (place.map { "; --suggestion \($0 + 1) adds it" } ?? "")
        }
    }

    private static func words(of suggestion: DeviceProposal.Suggestion) -> String {
        if let title = suggestion.title { return "take \(title) for the \(suggestion.quantity.name)" }
        if suggestion.isAsItIs { return "take the \(suggestion.quantity.name) as it is, although \(suggestion.reason)" }
        let value = suggestion.value.map { ValueFormatter.text($0, of: suggestion.quantity) } ?? "no value"
        return
            "\(suggestion.quantity.name) × \(suggestion.source.scale) in \(suggestion.source.unit.rawValue) would be "
            + "\(value): \(suggestion.reason)"
    }

    private static func preview(of proposal: DeviceProposal) -> String {
        let values = proposal.preview.compactMap { preview in
            preview.value.map { ValueFormatter.text($0, of: preview.quantity) }
        }
        return values.isEmpty ? "" : "\(values.joined(separator: ", ")) (\(proposal.confidence) confidence)"
    }

    private static func obstacle(of proposal: DeviceProposal) -> String? {
        guard let mapping = proposal.mapping else { return nil }
        if mapping.values.isEmpty {
            return "none of its values can be read; add it by hand with `poolsensors device add` and --value"
        }
        do {
            // The check that is made when a device is added.
            _ = try MappingDecoder(mapping: mapping, deviceTopic: proposal.topic)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
