public import Foundation
import Platform
import SyncCore
import SyncSimulation
public import WatchConnectivity

/// A phone and a watch, or several, with a live session each, in one process and in virtual time.
///
///     let pair = try TestPair()
///     pair.phone.delegate = phoneDelegate
///     pair.watch.delegate = watchDelegate
///     pair.phone.activate()
///     pair.watch.activate()
///     pair.settle()
///
/// The sessions are those of the module `WatchConnectivity`, over its real engine; the simulated parts are the link,
/// the disks, the clocks and the systems that start and suspend apps. Nothing happens by itself: calls of the
/// sessions return at once, and their effects happen in `settle()` and `advance(by:)`, one thing at a time. So a test
/// runs in the same way each time; ``timeline`` records it.
///
/// At the start all devices are on, paired and linked, the apps are installed everywhere and in front, and no session is
/// activated.
///
/// Delegates and handlers are called on a background queue of each app while `settle()` or `advance(by:)` waits for
/// them. They may use the sessions and the devices, but must not run the pair. Calls that they make later on other
/// queues are accepted at any time; wait for them with ``settle(within:until:)``. All members may be used on any
/// thread.
public final class TestPair: Sendable {
    /// The phone as a device.
    public let phoneDevice: TestDevice
    /// The watches as devices; the first one is active at the start.
    public let watchDevices: [TestDevice]
    /// The links between the phone and each watch.
    public let links: [TestLink]
    /// The seed for ids and random faults.
    public let seed: UInt64

    let stage: PairRunner

    /// Creates a pair, and lets its devices find each other.
    ///
    /// - Parameters:
    ///   - watches: The number of watches that are paired with the phone, 1…16.
    ///   - seed: The seed for ids and random faults.
    ///   - phone: The behaviour of the phone's session where Apple's behaviour is disputed.
    ///   - watch: The same for the watches' sessions.
    ///   - records: The values that phone and watches share, with who may write them.
    ///   - recordPermission: Which watch may change which of the values that `records` lets watches write.
    ///   - singleton: The side whose session is `WCSession.default` for all code of the test that runs as no side, as long
    ///     as the pair lives. It is for code that goes on elsewhere, where `asDefault` does not reach: in dispatch
    ///     queues, operations, threads, timers and detached tasks.
    /// - Throws: ``SingletonInUse``, or the file system's error if there can be no folder for the apps' files.
    public convenience init(
        watches: Int = 1, seed: UInt64 = 1, phone: SessionBehaviour = SessionBehaviour(),
        watch: SessionBehaviour = SessionBehaviour(),
        records: [SharedRecords.Name: SharedRecords.Rule] = [:],
        recordPermission: SharedRecords.Permission = .all,
        singleton: Side? = nil
    ) throws {
        let turn = try singleton.map { _ throws(SingletonInUse) in try SingletonTurn.take() }
        try self.init(
            PairSetup(
                watchCount: watches, seed: seed, phone: phone, watch: watch, records: records,
                recordPermission: recordPermission),
            singleton: singleton, turn)
    }

    /// Creates a pair with a side for code that runs as no side, when no earlier one of that kind lives any more.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile, or the file system's error.
    public convenience init(
        watches: Int = 1, seed: UInt64 = 1, phone: SessionBehaviour = SessionBehaviour(),
        watch: SessionBehaviour = SessionBehaviour(),
        records: [SharedRecords.Name: SharedRecords.Rule] = [:],
        recordPermission: SharedRecords.Permission = .all,
        singleton: Side
    ) async throws {
        let turn = try await SingletonTurn.wait()
        try self.init(
            PairSetup(
                watchCount: watches, seed: seed, phone: phone, watch: watch, records: records,
                recordPermission: recordPermission),
            singleton: singleton, turn)
    }

    /// Creates a pair with these delegates and activates the sessions; the references to the delegates stay weak.
    ///
    /// - Throws: The errors of the initializer.
    public static func activated(
        phone: any WCSessionDelegate, watch: any WCSessionDelegate, seed: UInt64 = 1,
        behaviour: SessionBehaviour = SessionBehaviour(), singleton: Side? = nil
    ) throws -> TestPair {
        let pair = try TestPair(seed: seed, phone: behaviour, watch: behaviour, singleton: singleton)
        pair.activate(phone, watch)
        return pair
    }

    /// Does the same when no earlier pair with `singleton` lives any more.
    ///
    /// - Throws: As the initializer that waits.
    public static func activated(
        phone: any WCSessionDelegate, watch: any WCSessionDelegate, seed: UInt64 = 1,
        behaviour: SessionBehaviour = SessionBehaviour(), singleton: Side
    ) async throws -> TestPair {
        let pair = try await TestPair(seed: seed, phone: behaviour, watch: behaviour, singleton: singleton)
        pair.activate(phone, watch)
        return pair
    }

    private func activate(_ phoneDelegate: any WCSessionDelegate, _ watchDelegate: any WCSessionDelegate) {
        phone.delegate = phoneDelegate
        watch.delegate = watchDelegate
        phone.activate()
        watch.activate()
        settle()
    }

    init(_ setup: PairSetup, singleton: Side? = nil, _ turn: SingletonTurn? = nil) throws {
        stage = try PairRunner(setup)
        seed = setup.seed
        PairLog.current?.add(stage, seed: seed)
        let devices = stage.devices.map { [stage] in TestDevice($0, of: stage) }
        phoneDevice = devices[0]
        watchDevices = Array(devices.dropFirst())
        links = (0..<setup.watchCount).map { [stage] in TestLink(watch: $0, of: stage) }
        stage.begin()
        if let singleton, let turn { stage.standIn(as: singleton.device, turn) }
        LivePairs.add(stage)
    }

    deinit {
        stage.reportFailures()
        stage.end()
    }

    /// The session of the phone's app.
    public var phone: WCSession { phoneDevice.session }

    /// The session of the first watch's app.
    public var watch: WCSession { watchDevice.session }

    /// The sessions of all watches' apps.
    public var watches: [WCSession] { watchDevices.map(\.session) }

    /// The first watch as a device.
    public var watchDevice: TestDevice { watchDevices[0] }

    /// The link between the phone and the first watch.
    public var link: TestLink { links[0] }

    /// A folder for the test's own files, which is removed with the pair.
    public var folder: URL { stage.folders.root }

    // MARK: - Time

    /// The virtual time since the start.
    public var elapsed: Duration { .nanoseconds(stage.world.withLock { $0.now.nanoseconds }) }

    /// The date by the devices' calendars; 2025-06-01 12:00 UTC at the start.
    public var date: Date {
        let milliseconds = stage.world.withLock { $0.moment.wallMilliseconds }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Changes the calendars of all devices, forwards or backwards; no time passes.
    public func turnCalendar(by duration: Duration) {
        let sides = stage.devices.flatMap { stage.sides(of: $0) }
        stage.world.withLock { world in
            world.turnCalendar(milliseconds: duration.wholeNanoseconds / 1_000_000)
            // The end of the day may have come, for which they have planned another time.
            for side in sides { world.tell(side, .timeReached) }
        }
    }

    /// Runs everything that can happen without waiting, and makes all the resulting calls.
    ///
    /// Devices defer some writes by a tenth of a second, and write many items in several steps. So a little virtual time
    /// passes, as long as content moves within 150 ms; attempts that fail again and again get a second at most.
    ///
    /// - Parameter turns: The most steps before it gives up, because apps may keep each other busy forever.
    /// - Returns: Whether nothing is left that needs no waiting. If not, the last of ``warnings`` says why: the steps were
    ///   used up, or a callback called this.
    @discardableResult
    public func settle(turns: Int = 1_000_000) -> Bool {
        defer { stage.reportFailures() }
        return stage.turn(limit: turns, for: nil)
    }

    /// Lets time pass, and runs everything that is due in that time.
    ///
    /// - Parameter duration: The virtual time, not negative.
    /// - Returns: As for `settle()`.
    @discardableResult
    public func advance(by duration: Duration) -> Bool {
        defer { stage.reportFailures() }
        return stage.turn(limit: PairRunner.turnLimit, for: max(duration, .zero))
    }

    /// Does the same as `settle()` while the caller's actor is free: for tests on the main actor.
    @discardableResult
    public func settle() async -> Bool {
        defer { stage.reportFailures() }
        return await stage.turnAside(for: nil)
    }

    /// Does the same as `advance(by:)` while the caller's actor is free.
    @discardableResult
    public func advance(by duration: Duration) async -> Bool {
        defer { stage.reportFailures() }
        return await stage.turnAside(for: max(duration, .zero))
    }

    /// Settles repeatedly until a condition holds: for code that continues in tasks or on separate queues.
    ///
    /// Between the checks it waits for the code under test, for the given time and at least 100 checks, so that a
    /// slow machine does not change the result.
    ///
    /// - Returns: Whether the condition holds.
    @discardableResult
    public func settle(within limit: Duration = .seconds(10), until isSo: @Sendable () -> Bool) async -> Bool {
        let end = ContinuousClock.now + limit
        var lookCount = 0
        while true {
            await settle()
            if isSo() { return true }
            lookCount += 1
            guard ContinuousClock.now < end || lookCount < 100 else { return false }
            // Nothing announces when another queue will call; a cancelled test ends its wait.
            do { try await Task.sleep(for: .milliseconds(1)) } catch { return false }
        }
    }

    // MARK: - Watches

    /// Makes another watch the active one: the phone's session becomes inactive and, when everything for the old
    /// watch is delivered, deactivated; the next `activate()` is for the new watch.
    ///
    /// - Parameter number: The watch's number, from 0.
    public func switchWatch(to number: Int) {
        precondition(watchDevices.indices.contains(number), "no watch \(number) of \(watchDevices.count)")
        stage.switchWatch(to: number)
    }

    /// The number of the watch that the phone's session is for, from 0.
    public var activeWatch: Int { stage.activeWatch }
}

extension TestPair {
    /// A side of a pair.
    public typealias Side = PairSide

    /// Runs code for which `WCSession.default` is the session of this side: for code under test that uses the
    /// singleton.
    ///
    /// It applies to the code, to its child tasks, and to callbacks from the sessions of the pair. It does not apply to code
    /// that goes on in a dispatch queue, an operation, a thread, a timer or a detached task: pass `singleton` to the
    /// initializer then. Otherwise the test fails at the first such use.
    public func asDefault<Result>(_ side: Side, _ body: () throws -> Result) rethrows -> Result {
        try stage.registry(of: side).use(body)
    }

    /// Runs asynchronous code for which `WCSession.default` is the session of this side.
    public nonisolated(nonsending) func asDefault<Result>(
        _ side: Side, _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await stage.registry(of: side).use(body)
    }
}
