import CommandSupport
import Foundation
import PoolModel
import ProgramFixture
import TestSupport
import Testing

@testable import poolsensors

/// A hub and its watches, each of its own build: a command for one of them runs the program of its build.
struct MixedHousehold {
    let folder: TemporaryFolder
    let hub: Build
    /// The builds of the watches, by their names.
    let watches: KeyValuePairs<String, Build>

    private func build(of watch: String) -> Build {
        watches.first { $0.key == watch }?.value ?? hub
    }

    // MARK: - Commands

    /// Runs a command of the hub and expects success.
    ///
    /// Returns its lines.
    @discardableResult
    func onHub(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
        let (end, lines) = try await Program.run(arguments, in: folder, program: hub.program)
        #expect(end == .exited(0), "\(arguments): \(lines)", sourceLocation: sourceLocation)
        return lines
    }

    /// Runs a command of a watch and expects success.
    ///
    /// Returns its lines.
    @discardableResult
    func on(
        _ watch: String, _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let all = ["watch"] + arguments + ["--name", watch]
        let (end, lines) = try await Program.run(all, in: folder, program: build(of: watch).program)
        #expect(end == .exited(0), "\(all): \(lines)", sourceLocation: sourceLocation)
        return lines
    }

    /// The output of a command of the hub with `--json`.
    func json(_ arguments: String...) async throws -> Any {
        try Self.parsed(try await onHub(arguments + ["--json"]))
    }

    /// The state of a device from `watch --once`; of the selected device if no name is given.
    func look(_ watch: String, device: String? = nil) async throws -> [String: Any] {
        let arguments = ["watch", "--once", "--json", "--name", watch] + (device.map { ["--device", $0] } ?? [])
        // The exit status depends on the status of the water.
        let lines = try await Program.run(arguments, in: folder, program: build(of: watch).program).lines
        return try #require(try Self.parsed(lines) as? [String: Any], "\(arguments): \(lines)")
    }

    static func parsed(_ lines: [String]) throws -> Any {
        normalised(try JSONSerialization.jsonObject(with: Data(lines.joined(separator: "\n").utf8)))
    }

    /// A value with its times as milliseconds, as earlier builds print them.
    private static func normalised(_ value: Any) -> Any {
        switch value {
        case let entries as [String: Any]: entries.mapValues(normalised)
        case let list as [Any]: list.map(normalised)
        case let text as String: Timestamp(iso8601: text).map { NSNumber(value: $0.milliseconds) as Any } ?? text
        default: value
        }
    }

    // MARK: - Processes

    /// Starts the hub and waits until watches can reach it.
    func startHub() async throws -> Program {
        let program = try Program(
            ["hub", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder, program: hub.program)
        _ = try await program.line(containing: "listening on ")
        return program
    }

    /// Starts a watch that prints each change as JSON.
    func start(_ watch: String) throws -> Program {
        try Program(["watch", "--name", watch, "--json"], in: folder, program: build(of: watch).program)
    }

    /// Invites a watch and pairs it.
    func pair(_ watch: String) async throws {
        let lines = try await onHub(["pair", "--name", watch])
        try await on(watch, ["pair", try #require(lines.first { $0.hasPrefix("psw2-") }, "\(lines)")])
    }

    // MARK: - Replicas

    /// The hub's data that its watches may see, in a canonical form.
    func hubReplica() async throws -> String {
        var devices: [String: Any] = [:]
        var selected: Any = NSNull()
        for device in try #require(try await json("device", "list") as? [[String: Any]]) {
            let name = try #require(device["name"] as? String)
            let values = (device["readings"] as? [String: Any])?["values"] as? [String: [String: Any]] ?? [:]
            devices[name] = ["limits": device["limits"], "values": values.compactMapValues { $0["value"] }]
            if device["isSelected"] as? Bool == true { selected = name }
        }
        let log = try #require(try await json("config", "log") as? [[String: Any]])
        return try Self.text([
            "revision": log.last?["revision"] ?? 0, "selected": selected, "devices": devices,
            "conflicts": try await json("conflicts", "list"),
            "alerts": (try await json("alerts", "list") as? [String: Any])?["state"] ?? NSNull(),
        ])
    }

    /// The same data as a watch prints it.
    func replica(of watch: String, devices names: [String]) async throws -> String {
        let shown = try await look(watch)
        var devices: [String: Any] = [:]
        for name in names {
            let readings = try await look(watch, device: name)["readings"] as? [[String: Any]] ?? []
            var limits: [String: Any] = [:]
            var values: [String: Any] = [:]
            for reading in readings {
                let quantity = try #require(reading["quantity"] as? String)
                limits[quantity] = reading["limits"]
                values[quantity] = reading["value"].flatMap { $0 is NSNull ? nil : $0 }
            }
            devices[name] = ["limits": limits, "values": values]
        }
        let alerts = try Self.parsed(try await on(watch, ["alerts", "list", "--json"])) as? [String: Any]
        return try Self.text([
            "revision": shown["revision"] ?? NSNull(), "selected": shown["name"] ?? shown["device"] ?? NSNull(),
            "devices": devices,
            "conflicts": try Self.parsed(try await on(watch, ["conflicts", "--json"])),
            "alerts": alerts?["state"] ?? NSNull(),
        ])
    }

    /// Expects that all watches get the same data as the hub, byte for byte; it may still be on its way.
    func expectSameReplicas(devices: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var expected = try await hubReplica()
        for (watch, _) in watches {
            var found = try await replica(of: watch, devices: devices)
            for _ in 0..<10 where expected != found {
                expected = try await hubReplica()
                found = try await replica(of: watch, devices: devices)
            }
            #expect(expected == found, "hub and \(watch)", sourceLocation: sourceLocation)
        }
    }

    private static func text(_ value: [String: Any]) throws -> String {
        let bytes = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .prettyPrinted])
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - File transfers

    /// Creates a file without repeated contents.
    ///
    /// Returns its path.
    func makeFile(_ name: String, byteCount: Int) throws -> String {
        let path = folder.path(name)
        let random = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
        let bytes = try #require(try random.read(upToCount: byteCount))
        try bytes.write(to: URL(filePath: path))
        return path
    }

    /// The number of bytes that a watch has on the disk, in any of its folders.
    func byteCount(of watch: String) -> Int {
        let folder = URL(filePath: folder.path("state/watches/\(watch)"))
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        var sum = 0
        while let file = files?.nextObject() as? URL {
            // A file that is removed meanwhile does not count.
            sum += (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }
        return sum
    }

    /// Starts a watch for which a file is queued, and kills it when a part of the file has arrived.
    ///
    /// - Returns: The number of bytes that the watch has, and whether the transfer was interrupted; it was not if the
    ///   file arrived before.
    func cutFile(_ name: String, at partCount: Int, on watch: String) async throws -> (kept: Int, isCut: Bool) {
        let before = byteCount(of: watch)
        let program = try start(watch)
        try await poll("a part of \(name) on \(watch)") { byteCount(of: watch) > before + partCount }
        program.signal(SIGKILL)
        _ = await program.ended()
        return (byteCount(of: watch), try await outcome(of: name) == nil)
    }

    /// The result of the transfer of a shared file; nil while it is in progress.
    func outcome(of name: String) async throws -> [String: Any]? {
        let files = try #require(try await json("watches", "files") as? [[String: Any]])
        let file = try #require(files.first { $0["name"] as? String == name })
        return file["outcome"] as? [String: Any]
    }

    /// Waits until a file has arrived on a running watch.
    ///
    /// Returns the minimum number of bytes that the watch had meanwhile.
    func waitForArrival(of name: String, on watch: String, hub program: Program) async throws -> Int {
        var fewest = Int.max
        try await poll("the arrival of \(name)") {
            // A single look can miss a file that is being renamed.
            fewest = min(fewest, max(byteCount(of: watch), byteCount(of: watch), byteCount(of: watch)))
            return program.lines.contains { $0.contains("watch \(watch): \(name) has arrived") }
        }
        return fewest
    }

    /// Expects that a watch has a file exactly once, with the contents of another file.
    func expectOnce(
        _ name: String, on watch: String, like path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var kept: [[String: Any]] = []
        // The hub is notified before the file is in its place.
        for _ in 0..<10 where kept.isEmpty {
            let files = try Self.parsed(try await on(watch, ["files", "--json"])) as? [[String: Any]]
            kept = try #require(files).filter { $0["name"] as? String == name }
        }
        #expect(kept.count == 1, "\(kept)", sourceLocation: sourceLocation)
        let place = try #require(kept.first?["path"] as? String)
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: place), sourceLocation: sourceLocation)
    }
}
