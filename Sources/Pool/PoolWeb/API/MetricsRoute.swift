import PoolControl
import PoolModel
import WebServer

/// The measurements, in the text format of Prometheus 0.0.4.
struct MetricsRoute: Sendable {
    let hub: HubWatcher
    let streams: StreamPlaces
    let counts: RequestCounts

    func metrics() -> WebResponse {
        let view = hub.view
        var text = MetricsText()
        text.family("poolsensors_hub_up", "Whether the hub runs.", .gauge)
        text.sample(value: view.isRunning ? 1 : 0)
        if view.isRunning, let snapshot = view.snapshot { hubMetrics(snapshot, &text) }
        text.family("poolsensors_streams", "The open streams of events.", .gauge)
        text.sample(value: Double(streams.count))
        text.family("http_requests_total", "Requests by route and status.", .counter)
        for entry in counts.all {
            text.sample(["route": entry.route, "status": "\(entry.status)"], value: Double(entry.count))
        }
        return WebResponse(200, .bytes(Array(text.text.utf8)), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private func hubMetrics(_ snapshot: ReceivedState, _ text: inout MetricsText) {
        let state = snapshot.state
        let now = snapshot.now()
        let devices = state.devices.map { device in
            (
                view: DeviceView(device, alerts: state.alerts.state, at: now),
                labels: [
                    "pool": device.device.poolID.flatMap { state.pool($0) }?.name ?? "", "device": device.name,
                ]
            )
        }
        text.family("poolsensors_value", "The newest corrected value, in the quantity's unit.", .gauge)
        for (view, labels) in devices {
            for gauge in view.readings {
                guard let value = gauge.value else { continue }
                text.sample(labels.merging(["quantity": gauge.quantity.rawValue]) { $1 }, value: value)
            }
        }
        text.family("poolsensors_age_seconds", "The age of the newest value.", .gauge)
        for (view, labels) in devices {
            for gauge in view.readings {
                guard let age = gauge.ageSeconds else { continue }
                text.sample(labels.merging(["quantity": gauge.quantity.rawValue]) { $1 }, value: Double(age))
            }
        }
        text.family("poolsensors_alert", "An open alert: 1 for a warning, 2 if it is critical.", .gauge)
        for alert in state.alerts.state.alerts {
            text.sample(["name": alert.name, "key": alert.key.text], value: alert.severity == .critical ? 2 : 1)
        }
        if let counts = state.counts {
            text.family("poolsensors_ingest_total", "Messages since the hub started, by what became of them.", .counter)
            let outcomes = [
                ("stored", counts.stored), ("duplicate", counts.duplicates), ("retained", counts.retained),
                ("quarantined", counts.quarantined), ("rejected", counts.rejectedCount), ("late", counts.late),
                ("repeated", counts.repeated), ("not_stored", counts.notStored),
            ]
            for (outcome, count) in outcomes { text.sample(["outcome": outcome], value: Double(count)) }
        }
        text.family("poolsensors_watch_linked", "Whether a watch has a session.", .gauge)
        for watch in state.watches {
            text.sample(["watch": watch.name, "key": watch.key], value: watch.isLinked == true ? 1 : 0)
        }
        text.family("poolsensors_outbox_items", "What is queued for a watch.", .gauge)
        for watch in state.watches {
            text.sample(["watch": watch.name, "key": watch.key], value: Double(watch.backlog))
        }
        text.family("poolsensors_conflicts_open", "The open conflicts.", .gauge)
        text.sample(value: Double(state.conflicts.count))
    }
}
