import Foundation
import PoolModel

/// The names, paths and numbers of a demo.
package struct DemoPlan: Sendable {
    /// A simulated pool.
    package struct Pool: Equatable, Sendable {
        package var name: String
        package var topic: String
    }

    /// A watch.
    package struct Watch: Equatable, Sendable {
        package var name: String
        /// The device that it shows; nil for the selected one.
        package var device: String?

        package init(name: String, device: String?) {
            self.name = name
            self.device = device
        }
    }

    /// The pools; the first one is selected.
    package static let pools = [
        Pool(name: "Lagoon", topic: "pool/sensor/lagoon"), Pool(name: "Spa", topic: "pool/sensor/spa"),
    ]
    /// The watches, from the one with the largest face to the one with a single line.
    package static let watches = [
        Watch(name: "Wrist", device: nil), Watch(name: "Kitchen", device: "Lagoon"),
        Watch(name: "Terrace", device: "Spa"), Watch(name: "Bar", device: nil),
    ]
    /// The name of the server in the hub's configuration.
    package static let serverName = "Demo"

    /// The folder of the whole demo.
    package var folder: String
    /// The samples of each pool a second.
    package var rate: Double
    package var seed: UInt64
    /// How long it runs; nil for no end.
    package var duration: Duration?
    /// The port of the broker.
    package var brokerPort: Int
    /// The port of the hub.
    package var hubPort: Int
    /// The port of the page.
    package var pagePort: Int

    package init(
        folder: String, rate: Double, seed: UInt64, duration: Duration?, brokerPort: Int, hubPort: Int, pagePort: Int
    ) {
        self.folder = folder
        self.rate = rate
        self.seed = seed
        self.duration = duration
        self.brokerPort = brokerPort
        self.hubPort = hubPort
        self.pagePort = pagePort
    }

    /// The lock file by which all processes end together.
    package var lifeline: String { "\(folder)/lifeline" }
    /// The folders of the hub and the watches.
    package var state: String { "\(folder)/state" }
    /// An empty configuration, so that the user's own does not matter.
    package var configuration: String { "\(folder)/config.json" }
    /// The file of the hub's history.
    package var history: String { "\(state)/hub/history.sqlite" }
    /// The hub's endpoint.
    package var hubEndpoint: String { "tcp://127.0.0.1:\(hubPort)" }
    /// The file with the counts of a watch.
    package func counts(of watch: Watch) -> String { "\(folder)/\(watch.name).tally" }
    /// The file with the invitation of a watch.
    package func invitation(of watch: Watch) -> String { "\(folder)/\(watch.name).invitation" }
    /// The log file of a process.
    package func log(of name: String) -> String { "\(folder)/\(name).log" }

    /// The interval that the hub and the watches expect between two samples of a pool, in seconds.
    ///
    /// It is generous, so that a dropout of the simulated probe is not shown as stale at once.
    package var expectedIntervalSeconds: Int { min(86_400, max(5, Int((3 / rate).rounded(.up)))) }

    // MARK: - Command lines of `poolsensors`

    private var common: [String] { ["--config", configuration, "--state", state, "--lifeline", lifeline] }

    package var hubArguments: [String] { ["hub", "--plain", "--listen", hubEndpoint] + common }

    /// The arguments for the hub's screens in a pane; they can be closed and opened without the hub.
    package var consoleArguments: [String] { ["console"] + common }

    /// The arguments for the page; `web` starts its program.
    package var pageArguments: [String] {
        ["web", "--listen", "127.0.0.1:\(pagePort)", "--state", state, "--lifeline", lifeline]
    }

    package var probeArguments: [String] {
        [
            "probe", "--server", "127.0.0.1:\(brokerPort)", "--rate", NumberFormat.shortest(rate), "--seed", "\(seed)",
            "--json", "--acid-runs-out", "8s",
        ]
            + Self.pools.flatMap { ["--topic", $0.topic] } + common
    }

    package func pairingArguments(of watch: Watch) -> [String] {
        [
            "watch", "pair", "--config", configuration, "--state", state, "--name", watch.name, "--file",
            invitation(of: watch), "--lifeline", lifeline,
        ]
    }

    /// The arguments for changing the upper limit of a quantity on a watch.
    package func limitArguments(of watch: Watch, device: String, quantity: String, high: Double) -> [String] {
        [
            "watch", "limits", device, quantity, "--high", NumberFormat.shortest(high), "--name", watch.name,
            "--config", configuration, "--state", state,
        ]
    }

    package func watchArguments(of watch: Watch, isDrawn: Bool) -> [String] {
        ["watch", "--name", watch.name, "--tally", counts(of: watch)] + (isDrawn ? [] : ["--plain"])
            + (watch.device.map { ["--device", $0] } ?? []) + common
    }

    /// The arguments for cleaning up after a demo that could not do it itself, when its processes had the time to end.
    ///
    /// A slower one may write while the folder is being removed; then the removal is repeated.
    package func cleanupArguments(tmux: String?, removesFolder: Bool) -> [String] {
        let layout = tmux.map { "'\($0)' -S '\(folder)/tmux' kill-server; " } ?? ""
        let removal =
            removesFolder
            ? "sleep 3; n=0; while rm -rf '\(folder)'; [ -e '\(folder)' ] && [ $n -lt 60 ]; do n=$((n+1)); sleep 1; done"
            : ":"
        return ["guard", "--lifeline", lifeline, "--afterwards", "--", "/bin/sh", "-c", layout + removal]
    }

    package func guarded(_ program: [String]) -> [String] { ["guard", "--lifeline", lifeline, "--"] + program }

    /// The lines of the broker's configuration.
    package func brokerConfiguration(isSuperuser: Bool) -> [String] {
        [
            "listener \(brokerPort) 127.0.0.1", "allow_anonymous true", "log_dest stderr", "persistence true",
            // A hub that is slow or away loses nothing: by default the broker drops messages beyond 1000 queued ones.
            "max_queued_messages 0",
            "persistence_location \(folder)/broker/",
            // If a person kills the broker, nothing that it has confirmed should be lost; but it should write at most
            // four times a second.
            "autosave_on_changes true", "autosave_interval \(max(1, Int(rate * Double(Self.pools.count) / 4)))",
        ] + (isSuperuser ? ["user root"] : [])
    }
}
