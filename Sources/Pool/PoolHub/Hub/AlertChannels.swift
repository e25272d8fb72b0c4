import Platform
import PoolAlerts
import PoolControl
import PoolDecoding
import PoolModel
import SyncCore
import SyncTransport

/// Delivers notices over the channels, and shows the open alerts.
struct AlertChannels: AlertEnvironment {
    let transport: HubTransport
    let editor: ConfigurationEditor
    let brokers: BrokerConnections
    let secrets: Secrets
    let webhook: WebhookClient
    let phones: PhoneClient
    /// The desktop; nil if there is none.
    let desktop: PoolHub.Desktop?
    /// Passes an input to the reducer.
    let handle: @Sendable (HubReducer.Input) -> Void

    var now: AlertTime { .now }

    func show(_ alerts: [AlertState.Alert], order: UInt64) { handle(.alerts(alerts, order: order)) }

    func removeAnswers(to keys: [AlertKey]) async throws { try await editor.put(keys.map(AlertAnswer.removal)) }

    /// Whether a channel may be used now.
    func authorization(of channel: AlertChannel) async -> AlertAuthorization {
        switch channel {
        case .terminal, .mqtt, .webhook, .ntfy, .pushover, .telegram: return .granted
        case .desktop: return desktop?.isAvailable() == true ? .granted : .denied
        case .watchUserInfo, .watchComplication:
            // While the hub starts it does not answer; the number of watches is reported later.
            guard let status = try? await transport.status() else { return .denied }
            return status.watches.isEmpty ? .denied : .granted
        }
    }

    /// Delivers a notice over a channel.
    func deliver(
        _ notice: AlertNotice, over channel: AlertChannel, _ settings: AlertSettings
    ) async -> AlertOutcome {
        let channels = settings.channels
        if let service = channel.phoneService {
            guard let phone = channels.phones[channel] else {
                return .refused("alerts are not sent to \(service.name) any more")
            }
            return await phones.send(notice, to: service, phone, in: settings.language, at: now).outcome
        }
        switch channel {
        case .terminal:
            handle(.event(.alert(notice)))
            return .delivered
        case .desktop:
            guard let desktop else { return .denied }
            switch await desktop.show(notice) {
            case .shown: return .delivered
            case .failed(let reason): return .failed(reason)
            case .denied: return .denied
            }
        case .mqtt: return await publish(notice, channels.mqtt)
        case .webhook: return await post(notice, channels.webhook)
        // They were handled above.
        case .ntfy, .pushover, .telegram: return .denied
        case .watchUserInfo: return await transfer(notice, isUrgent: false)
        case .watchComplication: return await transfer(notice, isUrgent: true)
        }
    }

    /// Publishes to one server, or to all of them; then one acknowledgement is enough.
    private func publish(_ notice: AlertNotice, _ settings: AlertChannelSettings.MQTT?) async -> AlertOutcome {
        // The channel was disabled in the meantime.
        guard let settings else { return .failed("alerts are not published any more") }
        let message = PublishedMessage(topic: settings.topic, payload: notice.body, isRetained: false)
        let servers = if let server = settings.serverID { [server] } else { await brokers.states.keys.sorted() }
        var reasons: [String] = []
        for server in servers {
            if let reason = await brokers.publish(message, to: server) { reasons.append(reason) }
        }
        if reasons.count < servers.count { return .delivered }
        return .failed(reasons.first ?? "there is no server to publish to")
    }

    private func post(_ notice: AlertNotice, _ settings: AlertChannelSettings.Webhook?) async -> AlertOutcome {
        guard let settings else { return .failed("alerts are not sent to a web address any more") }
        var secret: String?
        if let name = settings.secretName {
            do {
                secret = try secrets.signingSecret(named: name)
            } catch {
                return .failed("\(error)")
            }
            // A notice that must be signed is never sent unsigned.
            guard secret != nil else {
                return .failed(
                    "there is no secret \(name): give it with `poolsensors alerts settings --webhook-secret-stdin`")
            }
        }
        return await webhook.post(notice, to: settings.url, secret: secret, sentAt: .now)
    }

    /// Queues the notice durably for every watch, so that it arrives when the watch connects.
    private func transfer(_ notice: AlertNotice, isUrgent: Bool) async -> AlertOutcome {
        let watches: [PeerKey]
        let transfer: Exchange.Transfer
        do {
            watches = try await transport.status().watches.map(\.watch.key)
            transfer = Exchange.Transfer(
                payload: try AlertItem(notice).payload(), isUrgent: isUrgent,
                id: AlertItem.name(of: notice, isUrgent: isUrgent))
        } catch {
            return .failed("\(error)")
        }
        guard !watches.isEmpty else { return .denied }
        var reasons: [String] = []
        for watch in watches {
            if let reason = await queue(transfer, for: watch) { reasons.append(reason) }
        }
        return reasons.count < watches.count ? .delivered : .failed(reasons.first ?? "")
    }

    private func queue(_ transfer: Exchange.Transfer, for watch: PeerKey) async -> String? {
        do {
            switch try await transport.transfer({ .exchange(.transfer($0, transfer)) }, with: watch) {
            case .exchange(.accepted), .exchange(.declined(.knownItem)): return nil
            case .exchange(.declined(let fault)): return "\(fault)"
            case let other: return "an answer to something else: \(other)"
            }
        } catch {
            return "\(error)"
        }
    }
}

/// A notice as user info: `{"alert": …}`, the notice as canonical JSON.
struct AlertItem {
    let notice: AlertNotice

    init(_ notice: AlertNotice) {
        self.notice = notice
    }

    func payload() throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(notice), as: UTF8.self)
        return try PropertyList.dictionary(["alert": .string(json)]).encoded()
    }

    /// The identity of the item; it is the same for each attempt, so that a watch accepts it once.
    static func name(of notice: AlertNotice, isUrgent: Bool) -> RandomID {
        let text = Array("\(notice.id) \(isUrgent ? "complication" : "alert")".utf8)
        return RandomID(high: ReadingKey.hash(of: text), low: ReadingKey.hash(of: text + [0x2E]))
    }
}
