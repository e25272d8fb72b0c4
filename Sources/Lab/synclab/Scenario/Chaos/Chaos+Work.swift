import CommandSupport
import Foundation
import PoolControl
import SyncSimulation

/// The random work of users while faults occur.
extension Chaos {
    /// A running device, chosen by the seed; nil if the chosen one does not run.
    private mutating func worker() -> String? {
        let name = draw(3) == 0 ? "hub" : pick(watches + (cloneEnd == nil ? [] : [clone]))
        return fleet[name].isRunning ? name : nil
    }

    mutating func work() async throws {
        guard let name = worker() else { return }
        lastNumber += 1
        // A copy only makes edits.
        let kind = name == clone ? 8 + draw(15) : draw(23)
        var order = order(of: kind, by: name)
        if name == "hub" { order.watch = pick(watches) }
        do {
            let report = try await fleet.process(of: name).tell(order)
            count(order, report)
        } catch is CommandFailure {
            // A declined request is no promise.
            counts.declined += 1
        }
        if name == "hub", lastNumber % 7 == 0 { try await resolveConflicts() }
    }

    private mutating func order(of kind: Int, by name: String) -> NodeOrder {
        var order: NodeOrder
        switch kind {
        case 0:
            order = NodeOrder(.file)
            (order.file, order.byteCount) = ("\(name)-\(lastNumber).bin", draw(400_000))
        case 1..<7:
            order = NodeOrder(.item)
            order.text = "\(name)-\(lastNumber)"
        case 7:
            order = NodeOrder(.ask)
            (order.text, order.patience) = ("echo \(name)-\(lastNumber)", 700)
        case 8, 9:
            order = NodeOrder(.change)
            order.changes = [.init(cell: cell(), value: nil)]
        case 10, 11:
            order = group(by: name)
        default:
            order = NodeOrder(.change)
            // A unique value, so that a checker can follow it.
            order.changes = [.init(cell: cell(), value: "\(name)-\(lastNumber)")]
        }
        return order
    }

    private mutating func cell() -> String { "\(pick(Self.records)).\(pick(Self.groups))" }

    /// An edit of two to five cells, all or none.
    private mutating func group(by name: String) -> NodeOrder {
        var order = NodeOrder(.change)
        let cells = Set((0..<2 + draw(4)).map { _ in cell() }).sorted()
        order.changes = cells.map { .init(cell: $0, value: "\(name)-\(lastNumber)") }
        return order
    }

    private mutating func count(_ order: NodeOrder, _ report: NodeReport) {
        switch order.action {
        case .file: counts.files += 1
        case .item: counts.items += 1
        case .ask:
            counts.questions += 1
            if report.text?.hasPrefix("answer ") == true { counts.replies += 1 }
        case .change:
            if order.changes.contains(where: { $0.value == nil }) {
                counts.deletions += 1
            } else if order.changes.count > 1 {
                counts.groups += 1
            } else {
                counts.edits += 1
            }
        case .look, .settle, .script, .cut, .cutAtFile, .clock, .swarm, .heal, .invite, .unpair: break
        }
    }

    /// Dismisses conflicts before the log is full, unless the run is filling the log on purpose.
    mutating func resolveConflicts() async throws {
        let hub = try fleet.process(of: "hub")
        let open = try await hub.tell(NodeOrder(.look)).observation?.conflicts ?? []
        counts.mostConflicts = max(counts.mostConflicts, open.count)
        if let burstEnd, burstEnd > .now { return }
        burstEnd = nil
        for conflict in open.prefix(max(0, open.count - Self.conflictLimit)) {
            var order = NodeOrder(.settle)
            order.conflict = conflict.id
            do {
                try await hub.tell(order)
                counts.putAside += 1
            } catch is CommandFailure {
                // It was resolved together with another conflict of the same edit.
                continue
            }
        }
    }

    /// Fills the conflict log: cuts off all watches, then the hub and the watches edit all cells, and no conflict is
    /// resolved.
    mutating func burstOfConflicts() async throws {
        guard burstEnd == nil, fleet["hub"].isRunning else { return }
        counts.conflictBursts += 1
        burstEnd = .now.advanced(by: .seconds(4))
        let running = watches.filter { fleet[$0].isRunning }
        for watch in running { try await fleet.cut(watch, outgoing: true, incoming: true) }
        let rounds = 1 + 150 / max(1, running.count * Self.records.count * Self.groups.count)
        for _ in 0..<rounds {
            for name in running + ["hub"] {
                for record in Self.records {
                    lastNumber += 1
                    var order = NodeOrder(.change)
                    order.changes = Self.groups.map {
                        .init(cell: "\(record).\($0)", value: "\(name)-\(lastNumber)")
                    }
                    do {
                        count(order, try await fleet.process(of: name).tell(order))
                    } catch is CommandFailure {
                        counts.declined += 1
                    }
                }
            }
        }
        for watch in running { try await fleet.heal(watch) }
    }
}
