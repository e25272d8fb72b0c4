import PoolModel

extension AlertEngine {
    mutating func take(_ input: AlertInput) {
        switch input {
        case .value(let sample): take(sample)
        case .unreadable(let device, let quantity, let name): raiseFaultScore(.fault(device, quantity), name: name)
        case .missing(let device, let quantity, let name, let server, let reason):
            begin(.missing(device, quantity), name: name, server: server, reason: reason)
        case .back(let device, let quantity): end(.missing(device, quantity))
        case .connectionLost(let server, let name): begin(.connection(server), name: name, server: nil, reason: nil)
        case .connectionRestored(let server): connectionRestored(server)
        case .hubFailed(let part, let reason):
            begin(.hub(part), name: "Hub", server: nil, reason: nil, detail: reason)
        case .hubRestored(let part): hubRestored(part)
        case .limitsChanged(let device, let quantity, let limits): change(limits, device, quantity)
        case .settingsChanged(let settings): change(settings)
        case .deviceRemoved(let device):
            newest = newest.filter { $0.key.deviceID != device }
            drop { $0.deviceID == device }
        case .serverRemoved(let server): drop { $0 == .connection(server) }
        case .acknowledge(let id):
            change(id) { episode, _ in
                episode.isAcknowledged = true
                episode.snooze = nil
            }
        case .snooze(let id, let seconds):
            change(id) { episode, now in
                let milliseconds = Int64(min(max(1, seconds), 604_800)) * 1000
                episode.snooze = AlertEpisode.Snooze(until: now + milliseconds, severity: episode.severity)
                episode.isAcknowledged = false
            }
        case .authorization(let channel, let state): authorize(channel, state)
        case .delivered(let id, let channel): result(of: id, channel, .delivered)
        case .failed(let id, let channel): result(of: id, channel, .failed)
        case .denied(let id, let channel):
            authorize(channel, .denied)
            result(of: id, channel, .denied)
        case .test: test()
        case .persisted(let key, let ticket): persisted(key, ticket)
        case .persistFailed(let key, let ticket): persistFailed(key, ticket)
        case .timePassed: break
        }
    }

    private mutating func change(_ id: AlertEpisodeID, _ body: (inout AlertEpisode, Int64) -> Void) {
        // An answer to an earlier episode must not silence the next one.
        guard let key = runs.first(where: { $0.value.line.episode?.id == id })?.key else { return }
        guard var run = runs[key], var episode = run.line.episode else { return }
        body(&episode, now)
        run.line.episode = episode
        put(run)
    }

    private mutating func authorize(_ channel: AlertChannel, _ state: AlertAuthorization) {
        authorizations[channel] = state
        touched.formUnion(runs.keys)
    }

    private mutating func change(_ settings: AlertSettings) {
        let old = self.settings
        self.settings = settings
        touched.formUnion(runs.keys)
        let subjects = newest.sorted {
            ($0.key.deviceID, $0.key.quantity.rawValue) < ($1.key.deviceID, $1.key.quantity.rawValue)
        }
        for (subject, sample) in subjects {
            let key = AlertKey.value(subject.deviceID, subject.quantity, .low)
            guard settings.wants(key) else { continue }
            let isNew = !old.wants(key)
            let hasMoved = old.hysteresis[subject.quantity] != settings.hysteresis[subject.quantity]
            if isNew || hasMoved { reevaluate(sample, hysteresis: nil, mayOpen: isNew) }
        }
    }

    private mutating func change(_ limits: Limits, _ device: DeviceID, _ quantity: Quantity) {
        guard limits.isOrdered, var sample = newest[Subject(deviceID: device, quantity: quantity)] else { return }
        sample.limits = limits
        newest[Subject(deviceID: device, quantity: quantity)] = sample
        // A person changed the limits; the dead band only applies to noise.
        reevaluate(sample, hysteresis: 0, mayOpen: true)
    }

    private mutating func connectionRestored(_ server: ServerID) {
        end(.connection(server))
        for (key, value) in runs where value.line.serverID == server && key.condition == .missing {
            var run = value
            // Nothing could be received from the devices meanwhile, so their full delay starts now.
            if run.line.episode == nil { run.line.candidate?.start = now }
            put(run)
        }
    }

    private mutating func hubRestored(_ part: HubComponent) {
        end(.hub(part))
        for (key, value) in runs where key.condition == .missing || key.condition == .connection {
            var run = value
            // Nothing could be received while the hub could not store it, so the full delay starts now.
            if run.line.episode == nil { run.line.candidate?.start = now }
            put(run)
        }
    }

    private mutating func drop(_ isGone: (AlertKey) -> Bool) {
        for key in runs.keys.filter(isGone).sorted() {
            guard let run = runs.removeValue(forKey: key), run.written != nil || run.ticket > 0 else { continue }
            emit(.forget(key))
        }
    }

    private mutating func test() {
        guard var run = run(.test, name: "Test") else { return }
        askForChannels()
        let channels = openChannels.filter { $0 != .watchComplication }
        run.line.episodeCount += 1
        let id = episodeID(.test, run.line.episodeCount)
        guard !channels.isEmpty else { return }
        let notice = AlertNotice(
            id: "\(id)/1", episodeID: id, key: .test, kind: .test, severity: .warning, name: "Test", since: moment.wall,
            at: moment.wall, repeats: 0,
            text: AlertNotice.sentence(
                .test, .test, .warning, name: "", value: nil, limit: nil, reason: nil, lasted: 0))
        run.line.outbox = [
            AlertDelivery(notice: notice, channelDeliveries: channels.map { .init(channel: $0, outcome: .open) })
        ]
        put(run)
    }

    /// The identifier of an episode.
    ///
    /// It is derived from the key, both clocks and a count, so it is unique even after records were lost.
    func episodeID(_ key: AlertKey, _ count: UInt64) -> AlertEpisodeID {
        let hash = ReadingKey.hash(of: Array("\(key.text) \(moment.bootID) \(moment.uptimeMilliseconds)".utf8))
        return AlertEpisodeID(high: hash, low: UInt64(bitPattern: moment.wall.milliseconds) << 12 | count & 0xFFF)
    }
}
