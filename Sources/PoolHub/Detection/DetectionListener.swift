import Mosquitto
import PoolModel
import Synchronization

/// One detection: a throw-away client that hears everything a broker tells it, for a while, and leaves nothing behind.
final class DetectionListener: Sendable {
    /// How long a detection may take, in seconds.
    static let secondsRange = 1...3600
    /// Everything but the broker's own topics, and announcements, which some brokers allow where they refuse all.
    private static let filters = ["#", "\(HomeAssistantTopic.defaultPrefix)/#"]

    private struct State {
        var detection = Detection()
        var refused: Set<String> = []
        var isListening = false
        var isOver = false
        var trouble: String?
        var ends: ContinuousClock.Instant
    }

    let server: Server
    private let password: String?
    private let duration: Duration
    private let state: Mutex<State>

    init(_ server: Server, password: String?, duration: Duration) {
        self.server = server
        self.password = password
        self.duration = duration
        state = Mutex(State(ends: .now.advanced(by: duration)))
    }

    /// Listens until the time is over or the task is cancelled, connecting again when the connection ends.
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
            // What only a person can mend is not tried again.
            if reason.needsAttention { break }
            // Cancellation ends the wait and then the loop.
            try? await Task.sleep(for: .seconds(1))
        }
        state.withLock { $0.isOver = true }
    }

    /// How far it is, and what it found.
    func progress(in configuration: PoolConfiguration) -> DetectionProgress {
        let (report, facts) = state.withLock { state in (state.detection.report(), state) }
        let known = Dictionary(configuration.devices(of: server.id).map { ($0.topic, $0.name) }) { first, _ in first }
        let left = facts.isOver ? .zero : max(.zero, facts.ends - .now)
        return DetectionProgress(
            server: server.name, isOver: facts.isOver,
            secondsLeft: Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0),
            isListening: facts.isListening, trouble: facts.trouble, messages: report.counts.messages,
            lines: report.textLines(), json: report.jsonLine(),
            offers: report.proposals.map { DetectionOffer($0, knownAs: known[$0.topic]) })
    }

    /// One connection; gives why it ended, nil if the time was over.
    private func listenOnce(until deadline: ContinuousClock.Instant) async -> Client.EndReason? {
        let (ends, source) = AsyncStream<Client.EndReason?>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let client: Client
        do {
            // Without a name and with a clean session: it leaves nothing at the broker.
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
                state.trouble = nil
                state.refused = []
            }
            do {
                try client.subscribe(to: Self.filters.map { text throws(MosquittoError) in try TopicFilter(text) })
            } catch {
                state.withLock { $0.trouble = "\(error)" }
            }
        case .subscribed(_, let answers):
            state.withLock { state in
                state.refused.formUnion(answers.filter { !$0.isGranted }.map { "\($0.filter)" })
                guard state.refused.contains("#") else { return }
                state.trouble =
                    "the broker refuses to show everything (\(state.refused.sorted().joined(separator: ", "))): "
                    + "allow this user to read # for the time of the detection, or add the device by hand"
            }
        case .message(let message):
            // The mosquitto that grants both filters may send announcements twice; that changes no report.
            state.withLock { state in
                state.detection.absorb(
                    topic: message.topic.text, payload: message.payload, isRetained: message.isRetained,
                    receivedAt: .now)
            }
        case .pause, .published, .unsubscribed, .ended: break
        }
    }
}

extension DetectionOffer {
    /// An offer of what was proposed.
    init(_ proposal: DeviceProposal, knownAs: String?) {
        self.init(
            name: proposal.name, topic: proposal.topic, mapping: proposal.mapping,
            expectedIntervalSeconds: proposal.expectedIntervalSeconds.map {
                min(max($0, Device.intervalRange.lowerBound), Device.intervalRange.upperBound)
            },
            obstacle: Self.obstacle(of: proposal), knownAs: knownAs,
            suggestions: proposal.suggestions.compactMap { suggestion in
                proposal.mapping(taking: suggestion).map { mapping in
                    Suggestion(
                        words:
                            "\(suggestion.quantity.name) × \(suggestion.scale) in \(suggestion.unit.rawValue) would be "
                            + "\(ValueWords.text(suggestion.value, of: suggestion.quantity)): \(suggestion.reason)",
                        mapping: mapping)
                }
            }, preview: Self.preview(of: proposal))
    }

    private static func preview(of proposal: DeviceProposal) -> String {
        let values = proposal.preview.compactMap { preview in
            preview.value.map { ValueWords.text($0, of: preview.quantity) }
        }
        return values.isEmpty ? "" : "\(values.joined(separator: ", ")) (\(proposal.confidence) confidence)"
    }

    private static func obstacle(of proposal: DeviceProposal) -> String? {
        guard let mapping = proposal.mapping else { return nil }
        do {
            // As it would be when it is added.
            _ = try MappingDecoder(mapping: mapping, deviceTopic: proposal.topic)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
