import Logging
import PoolModel
import SyncCore
import SyncStore
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@testable import PoolWatch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A place for a watch's folder, which is removed with this object.
final class TestPlace: Sendable {
    let path: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory
        path = parent.appending(path: "pool-watch-\(UInt64.random(in: 0...(.max)))").path
    }

    deinit {
        // A test that failed early may not have created it.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Pairs the watch in this place.
    @discardableResult
    func pair(with hub: TestHub, name: String = "wrist") async throws -> PairedHub {
        var folder = try WatchFolder(path: path)
        return try await folder.pair(try await hub.invite(), name: name, patience: .seconds(3600))
    }

    /// Starts a watch in this place when the previous one has released the folder: a task ends slightly before its
    /// objects are destroyed.
    func start(
        device: String? = nil, endpoint: Endpoint? = nil, clock: TurnedClock = TurnedClock(),
        logger: Logger = Logger(label: "watch"), pauseOfFiles: (@Sendable () async throws -> Void)? = nil
    ) async throws -> TestWatch {
        var watch: TestWatch?
        try await poll("the folder of the watch") {
            do {
                watch = try TestWatch(
                    self, device: device, endpoint: endpoint, clock: clock, logger: logger, pauseOfFiles: pauseOfFiles)
                return true
            } catch FolderError.inUse {
                return false
            }
        }
        return try #require(watch)
    }
}

/// A running watch.
final class TestWatch: Sendable {
    let watch: PoolWatch
    let clock: TurnedClock
    private let place: TestPlace
    private let changes = Changes()
    private let task: Task<Void, any Error>

    fileprivate init(
        _ place: TestPlace, device: String?, endpoint: Endpoint?, clock: TurnedClock, logger: Logger,
        pauseOfFiles: (@Sendable () async throws -> Void)?
    ) throws {
        var options = PoolWatch.Options(
            device: device, endpoint: endpoint, logger: logger, onChange: { [changes] in changes.changed() },
            clock: { clock.moment })
        if let pauseOfFiles { options.pauseOfFiles = pauseOfFiles }
        let watch = try PoolWatch(try WatchFolder(path: place.path), options: options)
        self.watch = watch
        self.clock = clock
        self.place = place
        task = Task { try await watch.run() }
    }

    var glance: Glance { watch.glance(clock: "10:09") }

    /// Ends the watch as ^C ends a process.
    func stop() async throws {
        task.cancel()
        try await task.value
    }

    /// Returns when the watch's state satisfies a condition.
    func wait(until condition: @escaping @Sendable (PoolWatch) -> Bool) async {
        await changes.wait { [watch] in condition(watch) }
    }

    /// Returns when the glance satisfies a condition.
    func waitForGlance(_ condition: @escaping @Sendable (Glance) -> Bool) async {
        await wait { condition($0.glance(clock: "")) }
    }

    /// Returns when the glance shows a temperature.
    func waitForTemperature(_ value: Double) async {
        await waitForGlance { $0.gauges[0].value == value }
    }

    /// Returns once the hub answers.
    func waitForLink() async {
        await waitForGlance { $0.link == .linked }
    }
}
