import MQTT
import PoolDecoding
import Synchronization

extension BrokerConnection {
    /// Publishes a message and waits for the broker's acknowledgement, or for the end of the connection.
    ///
    /// - Returns: Why it did not arrive; nil if the broker has it.
    func publish(_ message: PublishedMessage) async -> String? {
        guard let client = connectedClient else { return "the broker is not connected" }
        let topic: TopicName
        do {
            topic = try TopicName(message.topic)
        } catch {
            return "\(error)"
        }
        return await publications.publish(message, to: topic, by: client)
    }
}

/// The messages that were published on one connection and that the broker has not acknowledged.
final class Publications: Sendable {
    private typealias Waiting = CheckedContinuation<String?, Never>

    private let waiting = Mutex<[PacketIdentifier: Waiting]>([:])

    /// Publishes a message and waits for its end.
    ///
    /// - Returns: Why it did not arrive; nil if the broker has it.
    func publish(_ message: PublishedMessage, to topic: TopicName, by client: Client) async -> String? {
        await withCheckedContinuation { continuation in
            let reason: String? = waiting.withLock { waiting in
                // The answer may come before the call returns: it waits for this lock, so that it finds who waits.
                do {
                    let packet = try client.publish(message.payload, to: topic, isRetained: message.isRetained)
                    waiting[packet] = continuation
                    return nil
                } catch {
                    return "\(error)"
                }
            }
            if let reason { continuation.resume(returning: reason) }
        }
    }

    /// The broker has answered; on the network thread.
    func answered(_ packet: PacketIdentifier, _ reason: ReasonCode) {
        let continuation = waiting.withLock { $0.removeValue(forKey: packet) }
        continuation?.resume(returning: reason.isFailure ? "the broker refused it: \(reason)" : nil)
    }

    /// The connection has ended: nothing more is answered.
    func end() {
        let all = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        for continuation in all.values {
            continuation.resume(returning: "the connection ended before the broker had it")
        }
    }
}
