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

    private struct State {
        var detection = Detection()
        var isListening = false
        /// Whether the broker ever accepted the listener.
        var wasAccepted = false
        var isOver = false
        var trouble: String?
        var ends: ContinuousClock.Instant
    }

    let server: Server
    private let password: String?
    private let duration: Duration
    private let state: Lock<State>

    init(_ server: Server, password: String?, duration: Duration) {
        self.server = server
        self.password = password
        self.duration = duration
        state = Lock(State(ends: .now.advanced(by: duration)))
    }

    /// Listens until the time is over or the task is cancelled; reconnects if the connection ends.
    ///
    /// If the broker rejects the first attempt, the detection ends at once.
    func run() async {
        let deadline = state.withLock { state in
            state.ends = .now.advanced(by: duration)
            return state.ends
        }
        while !Task.isCancelled, ContinuousClock.now < deadline {
            let reason = await listenOnce(until: deadline)
            state.withLock { $0.isListening = false }
            guard let reason else { break }
            state.withLock { $0.trouble = reason.words(for: server) }
            // A problem that the user must solve is not tried again.
            if reason.needsAttention || !state.withLock(\.wasAccepted) { break }
            // Cancellation ends the wait and then the loop.
            try? await Task.sleep(for: .seconds(1))
        }
        state.withLock { $0.isOver = true }
    }

    /// The progress, and what was found.
    func progress(in configuration: PoolConfiguration) -> DetectionProgress {
        let (report, facts) = state.withLock { state in (state.detection.report(), state) }
        let devices = configuration.devices(of: server.id)
        let left = facts.isOver ? .zero : max(.zero, facts.ends - .now)
        return DetectionProgress(
            serverID: server.id, server: server.name, isOver: facts.isOver,
            secondsLeft: Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0),
            isListening: facts.isListening, trouble: facts.trouble, messages: report.counts.messages,
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
            client = try Client(server.clientOptions(password: password, clientIdentifier: nil))
            try client.connect(to: server.brokerAddress()) { [self, weak client] event in
                if case .ended(let reason) = event {
                    source.yield(reason)
                } else if let client {
                    handle(event, client)
                }
            }
        } catch {
            state.withLock { $0.trouble = "\(error)" }
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
            state.withLock { state in
                state.isListening = true
                state.wasAccepted = true
                state.trouble = nil
            }
            do {
                try client.subscribe(to: Self.filters.map { text throws(MQTTError) in try TopicFilter(text) })
            } catch {
                state.withLock { $0.trouble = "\(error)" }
            }
        case .subscribed(_, let answers):
            // One answer contains all filters.
            let refused = answers.filter { !$0.isGranted }.map { "\($0.filter)" }.sorted()
            guard refused.contains("#") else { return }
            state.withLock { state in
                state.trouble =
                    "the broker refuses to show everything (\(refused.joined(separator: ", "))): "
                    + "allow this user to read # for the time of the detection, or add the device by hand"
            }
        case .message(let message):
            // A broker that grants both filters may send announcements twice; that does not change the report.
            state.withLock { state in
                state.detection.absorb(
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
            }, openQuantities: proposal.openQuantities, preview: Self.preview(of: proposal))
    }

    private static func words(of suggestion: DeviceProposal.Suggestion) -> String {
        if let title = suggestion.title { return "take \(title) for the \(suggestion.quantity.name)" }
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
        do {
            // The check that is made when a device is added.
            _ = try MappingDecoder(mapping: mapping, deviceTopic: proposal.topic)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
