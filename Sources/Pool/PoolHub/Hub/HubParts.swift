import Platform
import PoolModel
import SyncCore

/// The parts of a hub that are made after those that need them.
final class HubParts: Sendable {
    private let parts = Lock<(brokers: BrokerConnections, channels: AlertChannels)?>(nil)

    /// The connections; nil while the hub is being made.
    var brokers: BrokerConnections? { parts.withLock { $0?.brokers } }

    /// The ways of alerts; nil while the hub is being made.
    var channels: AlertChannels? { parts.withLock { $0?.channels } }

    /// Puts the parts in; once.
    func fill(_ brokers: BrokerConnections, _ channels: AlertChannels) {
        parts.withLock { $0 = (brokers, channels) }
    }

    /// Lets the parts go, which know each other: else none of them would ever.
    func empty() {
        parts.withLock { $0 = nil }
    }
}

extension AlertState {
    /// The register that brings the open alerts to the watches.
    func register(order: UInt64) -> Register {
        // Finite numbers and texts only: it can always be written.
        Register(key: RegisterKey.alerts.text, order: order, value: (try? CanonicalJSON.encode(self)) ?? [])
    }
}
