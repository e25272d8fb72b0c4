import Foundation
import Platform

/// A folder for the devices of a test, which find each other in it, and their processes.
final class AppWorld: Sendable {
    let path: String
    /// They live as long as the test.
    private let apps = Lock<[AppProcess]>([])

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        for app in apps.withLock(\.self) { app.abandon() }
        // What cannot be removed is left to the system.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in the folder.
    func path(of name: String) -> String { path + "/" + name }

    /// Makes a file of so many bytes.
    func file(_ name: String, byteCount: Int) throws -> String {
        let bytes = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: URL(filePath: path(of: name)))
        return path(of: name)
    }

    /// Starts a phone, and waits until it takes commands.
    func phone(_ more: [String: String] = [:], build: AppBuild = .present) async throws -> AppProcess {
        try await start("phone", side: "phone", more, build: build)
    }

    /// Starts a watch, and waits until it takes commands.
    func watch(
        _ name: String = "watch", _ more: [String: String] = [:], build: AppBuild = .present
    ) async throws -> AppProcess {
        try await start(name, side: "watch", more, build: build)
    }

    /// Starts a phone and a watch, activates both, and waits until each reaches the other.
    func both(
        phone phoneMore: [String: String] = [:], watch watchMore: [String: String] = [:],
        builds: AppBuild.Pair = AppBuild.Pair(phone: .present, watch: .present)
    ) async throws -> (phone: AppProcess, watch: AppProcess) {
        let phone = try await phone(phoneMore, build: builds.phone)
        let watch = try await watch("watch", watchMore, build: builds.watch)
        for app in [phone, watch] { try await app.ask("activate", "activated") }
        try await phone.state("\"installed\":true", "\"reachable\":true")
        try await watch.state("\"companion\":true", "\"reachable\":true")
        for app in [phone, watch] { app.forget() }
        return (phone, watch)
    }

    /// Starts one of the clients on both devices.
    func clients(_ client: String, file: String = "") async throws -> (phone: AppProcess, watch: AppProcess) {
        let arguments = [client, file]
        return (
            try await start("phone", side: "phone", [:], arguments),
            try await start("watch", side: "watch", [:], arguments)
        )
    }

    private func start(
        _ name: String, side: String, _ more: [String: String], _ arguments: [String] = [],
        build: AppBuild = .present
    ) async throws -> AppProcess {
        var environment = [
            "WATCHCONNECTIVITY_SIDE": side, "WATCHCONNECTIVITY_STATE": path(of: name), "WATCHCONNECTIVITY_NAME": name,
            "WATCHCONNECTIVITY_MEETING": path(of: "meeting"), "WATCHCONNECTIVITY_HEARTBEAT": "2s",
            "SWIFT_BACKTRACE": "interactive=no,enable=no",
        ]
        environment.merge(more) { $1 }
        let app = try AppProcess(name, arguments: arguments, environment: environment, build: build)
        apps.withLock { $0.append(app) }
        try await app.line("ready")
        return app
    }
}
