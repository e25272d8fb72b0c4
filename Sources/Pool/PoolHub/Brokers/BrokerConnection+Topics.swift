import Logging
import MQTT
import PoolModel
import Synchronization

extension BrokerConnection {
    /// Says which filters are wanted from now on.
    ///
    /// - Parameters:
    ///   - filters: All of them.
    ///   - renewed: Those for which the broker must replay what it keeps, though they may be subscribed to already.
    func want(_ filters: Set<String>, renewing renewed: Set<String> = []) {
        let client = state.withLock { state in
            state.subscriptions = Subscriptions(filters)
            return state.connectedAt == nil ? nil : state.client
        }
        if let client { align(client, renewing: renewed) }
    }

    /// Subscribes to what is wanted and not subscribed to, and the other way round.
    func align(_ client: Client, renewing renewed: Set<String> = []) {
        // A stand-in has a session of its own, which ends with it.
        let memory = state.withLock(\.life.isStandIn) ? nil : memory
        let remembered = memory?.filters(of: settings.server.id) ?? []
        let (missing, surplus, needed) = state.withLock { state in
            let needed = state.subscriptions.needed
            let again = state.subscriptions.covering(renewed)
            let missing = needed.subtracting(state.subscribed).union(again)
            let surplus = state.subscribed.union(remembered).subtracting(needed)
            state.subscribed = needed
            return (missing.sorted(), surplus.sorted(), needed)
        }
        memory?.note(needed.union(surplus), of: settings.server.id)
        forgetRefusals(of: surplus)
        do {
            let surplusFilters = try surplus.map { text throws(MQTTError) in try TopicFilter(text) }
            if !surplusFilters.isEmpty {
                let packet = try client.unsubscribe(from: surplusFilters)
                state.withLock { $0.unsubscribing[packet] = surplus }
            }
            let missingFilters = try missing.map { text throws(MQTTError) in try TopicFilter(text) }
            if !missingFilters.isEmpty { try client.subscribe(to: missingFilters) }
        } catch {
            // The connection is just ending; the next life subscribes to everything that is wanted.
            logger.debug("topics not aligned", metadata: ["error": "\(error)"])
        }
    }

    /// The broker confirmed the end of subscriptions: they need not be remembered any more.
    func unsubscribed(_ packet: PacketIdentifier) {
        let (gone, needed) = state.withLock { state in
            (state.unsubscribing.removeValue(forKey: packet), state.subscriptions.needed)
        }
        // The answer can overtake the note of its number: then they are remembered, and ended once more.
        guard let gone, let memory else { return }
        memory.note(memory.filters(of: settings.server.id).subtracting(gone).union(needed), of: settings.server.id)
    }

    /// Shows what the broker refused, and what it delivers with less care than was asked for.
    func subscribed(_ answers: [SubscriptionAnswer]) {
        show { shown in
            let answered = Set(answers.map { "\($0.filter)" })
            shown.refusedTopics.removeAll { text in answered.contains { text.hasPrefix("\($0) ") } }
            shown.weakTopics.removeAll { answered.contains($0) }
            for answer in answers {
                switch answer.outcome {
                case .refused: shown.refusedTopics.append("\(answer.filter) (\(answer.outcome))")
                case .granted(.atMostOnce): shown.weakTopics.append("\(answer.filter)")
                case .granted: break
                }
            }
            shown.refusedTopics.sort()
            shown.weakTopics.sort()
        }
    }

    private func forgetRefusals(of filters: [String]) {
        guard !filters.isEmpty else { return }
        show { shown in
            shown.refusedTopics.removeAll { text in filters.contains { text.hasPrefix("\($0) ") } }
            shown.weakTopics.removeAll { filters.contains($0) }
        }
    }
}
