import CommandSupport
import Foundation
import PoolHub
import PoolModel

/// Shows alerts on the desktop by `notify-send`, if it is installed and there is a session's message bus.
struct DesktopNotifier: Sendable {
    /// The time limit for `notify-send`.
    private static let patience = Duration.seconds(10)

    let environment: Environment

    /// The desktop, in the form that a hub needs.
    var desktop: PoolHub.Desktop {
        PoolHub.Desktop(isAvailable: { program != nil && hasBus }, show: { await show($0) })
    }

    /// The path of `notify-send`; nil if it is not installed.
    private var program: String? {
        (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/notify-send" }
            .first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
    }

    private var hasBus: Bool {
        if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
        guard let folder = environment["XDG_RUNTIME_DIR"] else { return false }
        return FileManager.default.fileExists(atPath: "\(folder)/bus")
    }

    /// Its arguments, which no shell interprets.
    static func arguments(for notice: AlertNotice) -> [String] {
        let title = notice.severity == .critical ? "PoolSensors: critical" : "PoolSensors"
        return [
            "--app-name=PoolSensors", "--urgency=\(notice.severity == .critical ? "critical" : "normal")",
            "--category=device", "--", title, PlainText.oneLine(notice.text),
        ]
    }

    private func show(_ notice: AlertNotice) async -> PoolHub.Desktop.Outcome {
        guard let program, hasBus else { return .denied }
        do {
            let child = try ChildProcess(
                program, Self.arguments(for: notice), environment: environment, files: (nil, nil, nil))
            let deadline = Task {
                try await Task.sleep(for: Self.patience)
                child.signal(SIGKILL)
            }
            let end = await child.ended()
            deadline.cancel()
            return end == .exited(0) ? .shown : .failed("notify-send \(end)")
        } catch {
            return .failed("\(error)")
        }
    }
}
