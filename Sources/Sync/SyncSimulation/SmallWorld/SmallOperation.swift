import SyncCore

/// One step of a small world; everything that happens there is one of these, so that a run is a list of them.
///
/// A number that chooses among things (cells, messages) counts modulo how many there are; where there are none, the
/// step does nothing. So any part of a list is a run as well, and a failing list can be made shorter.
package enum SmallOperation: Hashable, Sendable {
    /// A person at the hub writes a cell, or creates one.
    case hubWrites(Int)
    /// A person at the hub deletes a cell.
    case hubDeletes(Int)
    /// The hub drops the traces of deleted cells.
    case hubPurges
    /// A person at a watch writes a cell, or creates one.
    case watchWrites(Int, Int)
    /// A person at a watch deletes a cell.
    case watchDeletes(Int, Int)
    /// A watch opens a session.
    case greet(Int)
    /// A watch sends what the hub has not confirmed.
    case upload(Int)
    /// The hub sends a watch its snapshot.
    case snapshot(Int)
    /// A message under way arrives.
    case deliver(Int)
    /// A message under way arrives, and stays under way.
    case duplicate(Int)
    /// A message under way is lost.
    case lose(Int)
    /// The hub's process dies and starts again with what is durable.
    case hubCrashes
    /// The hub's disk catches up; only a hub that does not wait for its disk needs it.
    case hubSyncs
    /// The hub's store is copied.
    case hubBacksUp
    /// The hub's store is replaced by the copy, as its restore command does.
    case hubIsRestored
    /// A watch's process dies and starts again.
    case watchCrashes(Int)
    /// A watch's store is copied.
    case watchBacksUp(Int)
    /// A watch's store is replaced by its copy.
    case watchIsRestored(Int)
    /// A wall clock runs ahead or behind from now on, by this many steps: of the hub (-1) or of a watch.
    case skew(Int, Int)

    /// The name in stored schedules.
    private static let names: [String: @Sendable ([Int]) -> SmallOperation?] = [
        "hu": { $0.count == 1 ? .hubWrites($0[0]) : nil }, "hd": { $0.count == 1 ? .hubDeletes($0[0]) : nil },
        "hc": { _ in .hubPurges }, "wu": { $0.count == 2 ? .watchWrites($0[0], $0[1]) : nil },
        "wd": { $0.count == 2 ? .watchDeletes($0[0], $0[1]) : nil },
        "hello": { $0.count == 1 ? .greet($0[0]) : nil }, "push": { $0.count == 1 ? .upload($0[0]) : nil },
        "ctx": { $0.count == 1 ? .snapshot($0[0]) : nil }, "dlv": { $0.count == 1 ? .deliver($0[0]) : nil },
        "dup": { $0.count == 1 ? .duplicate($0[0]) : nil }, "drop": { $0.count == 1 ? .lose($0[0]) : nil },
        "hcrash": { _ in .hubCrashes }, "hsync": { _ in .hubSyncs }, "hbak": { _ in .hubBacksUp },
        "hrest": { _ in .hubIsRestored }, "wcrash": { $0.count == 1 ? .watchCrashes($0[0]) : nil },
        "wbak": { $0.count == 1 ? .watchBacksUp($0[0]) : nil },
        "wrest": { $0.count == 1 ? .watchIsRestored($0[0]) : nil },
        "skew": { $0.count == 2 ? .skew($0[0], $0[1]) : nil },
    ]

    /// Reads an operation such as `wu 1 3`; nil if it is not one.
    package init?(text: String) {
        let words = text.split(separator: " ")
        guard let name = words.first, let make = Self.names[String(name)] else { return nil }
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard numbers.count == words.count - 1, let operation = make(numbers) else { return nil }
        self = operation
    }

    /// The operation as text.
    package var text: String {
        switch self {
        case .hubWrites(let cell): "hu \(cell)"
        case .hubDeletes(let cell): "hd \(cell)"
        case .hubPurges: "hc"
        case .watchWrites(let watch, let cell): "wu \(watch) \(cell)"
        case .watchDeletes(let watch, let cell): "wd \(watch) \(cell)"
        case .greet(let watch): "hello \(watch)"
        case .upload(let watch): "push \(watch)"
        case .snapshot(let watch): "ctx \(watch)"
        case .deliver(let message): "dlv \(message)"
        case .duplicate(let message): "dup \(message)"
        case .lose(let message): "drop \(message)"
        case .hubCrashes: "hcrash"
        case .hubSyncs: "hsync"
        case .hubBacksUp: "hbak"
        case .hubIsRestored: "hrest"
        case .watchCrashes(let watch): "wcrash \(watch)"
        case .watchBacksUp(let watch): "wbak \(watch)"
        case .watchIsRestored(let watch): "wrest \(watch)"
        case .skew(let node, let steps): "skew \(node) \(steps)"
        }
    }
}

extension SmallOperation {
    /// The operations of a seed, with each kind of fault switched on or off as a whole.
    package static func drawn(seed: UInt64, count: Int, watchCount: Int) -> [SmallOperation] {
        var draws = SplitMix64(seed: seed)
        // In thousandths: the kinds that make a run continue are frequent, the treacherous ones rare.
        let weights: [(kind: Int, weight: Int, isAlways: Bool)] = [
            (0, 70, true), (1, 120, true), (2, 10, false), (3, 15, false), (4, 8, false), (5, 60, true), (6, 90, true),
            (7, 60, false), (8, 340, true), (9, 30, false), (10, 40, false), (11, 20, false), (12, 20, false),
            (13, 12, false), (14, 9, false), (15, 15, false), (16, 12, false), (17, 9, false), (18, 15, false),
        ]
        let isOn = weights.map { $0.isAlways || !draws.chance(0.25) }
        let total = weights.reduce(0) { $0 + $1.weight }
        var operations: [SmallOperation] = []
        operations.reserveCapacity(count)
        for _ in 0..<count {
            var point = draws.below(total)
            var kind = 0
            while point >= weights[kind].weight {
                point -= weights[kind].weight
                kind += 1
            }
            guard isOn[kind] else { continue }
            operations.append(make(kind, watchCount: watchCount, &draws))
        }
        return operations
    }

    private static func make(_ kind: Int, watchCount: Int, _ draws: inout SplitMix64) -> SmallOperation {
        let watch = draws.below(watchCount)
        let cell = draws.below(8)
        let message = draws.chance(0.25) ? draws.below(6) : 0
        switch kind {
        case 0: return .hubWrites(cell)
        case 1: return .watchWrites(watch, cell)
        case 2: return .watchDeletes(watch, cell)
        case 3: return .hubDeletes(cell)
        case 4: return .hubPurges
        case 5: return .greet(watch)
        case 6: return .upload(watch)
        case 7: return .snapshot(watch)
        case 8: return .deliver(message)
        case 9: return .duplicate(message)
        case 10: return .lose(message)
        case 11: return .hubCrashes
        case 12: return .hubSyncs
        case 13: return .hubBacksUp
        case 14: return .hubIsRestored
        case 15: return .watchCrashes(watch)
        case 16: return .watchBacksUp(watch)
        case 17: return .watchIsRestored(watch)
        default: return .skew(draws.below(watchCount + 1) - 1, [-40, -5, 5, 30, 1000][draws.below(5)])
        }
    }
}
