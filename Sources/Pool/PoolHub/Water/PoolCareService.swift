import Platform
import PoolControl
import PoolModel
import Service
import SyncCore

/// Keeps the ``PoolCare`` of each pool up to date, for the hub's own assessments, and sends it to the watches.
///
/// It is made anew after each dose and each change of the configuration, and every few seconds while something changes.
actor PoolCareService {
    private struct Known {
        /// Nil if it could not be made: then nobody may say that people can swim.
        var care: PoolCare?
        var order: UInt64
    }

    /// The interval at which it is made anew if something changed.
    private static let interval = Duration.seconds(5)
    /// The number of intervals after which it is made anew in any case, because measurements become old.
    private static let idleCount = 12

    private let water: WaterCommandHandler
    private let changes: ChangeSignal
    private let publish: @Sendable (Register) -> Void
    private let wakes: AsyncStream<Void>
    nonisolated private let waking: AsyncStream<Void>.Continuation
    /// Nil before the first time.
    private var known: [PoolID: Known]?
    /// The last refresh: each one begins after the one before, so that no older doses replace newer ones.
    private var last: Task<Void, Never>?

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - water: Makes advice.
    ///   - changes: The changes of the hub's state.
    ///   - publish: Sends a register to the watches; must return at once.
    init(
        water: WaterCommandHandler, changes: ChangeSignal, publish: @escaping @Sendable (Register) -> Void
    ) {
        self.water = water
        self.changes = changes
        self.publish = publish
        (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What is known of each pool, in no order; made now if it never was.
    func cares() async -> [PoolCare] {
        if known == nil { await refresh() }
        return known?.values.compactMap(\.care) ?? []
    }

    /// The order of the register of a pool; nil if none was sent.
    func order(of pool: PoolID) async -> UInt64? {
        if known == nil { await refresh() }
        return known?[pool]?.order
    }

    /// Asks for a refresh soon; called on any thread, returns at once.
    nonisolated func wake() { waking.yield() }

    /// Refreshes until the task is cancelled; called once.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [changes, waking] in
                var (seen, idle) = (UInt64(0), 0)
                while !Task.isCancelled {
                    idle += 1
                    if changes.count != seen || idle >= Self.idleCount {
                        waking.yield()
                        (seen, idle) = (changes.count, 0)
                    }
                    // Cancellation ends the wait and the loop.
                    try? await Task.sleep(for: Self.interval)
                }
            }
            for await _ in wakes { await refresh() }
            group.cancelAll()
        }
    }

    /// Makes everything anew from what is stored now; returns when that is done.
    func refresh() async {
        let before = last
        let task = Task {
            await before?.value
            await make()
        }
        last = task
        await task.value
    }

    private func make() async {
        var next: [PoolID: Known] = [:]
        // Without a configuration nothing is known.
        let pools = (try? await water.log.configuration())?.pools ?? []
        for pool in pools {
            // What cannot be read is unknown, which no assessment takes for good.
            let care = try? await water.care(of: pool.id)
            let old = known?[pool.id]
            if let old, old.care == care {
                next[pool.id] = old
                continue
            }
            // It follows the clock, so that it still grows after a restart.
            let order = max((old?.order ?? 0) + 1, UInt64(max(0, Timestamp.now.milliseconds)))
            next[pool.id] = Known(care: care, order: order)
            publish(PoolCare.register(care, of: pool.id, order: order))
        }
        let isNews = next.mapValues(\.order) != known?.mapValues(\.order)
        known = next
        if isNews { changes.signal() }
    }
}

extension PoolCare {
    /// The register of a pool for the watches.
    fileprivate static func register(_ care: PoolCare?, of pool: PoolID, order: UInt64) -> Register {
        // It contains only finite numbers and texts, which can always be encoded.
        let value = (try? CanonicalJSON.encode(PoolCareReport(care: care))) ?? []
        return Register(key: RegisterKey.pool(pool).text, order: order, value: value)
    }
}
