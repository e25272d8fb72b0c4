import CommandSupport
import Foundation
import PoolControl
import SyncCore
import SyncSimulation

/// Runs scenarios on real processes: a node for each device, on loopback, encrypted, with stores on the disk.
///
/// A wait longer than three seconds takes three seconds, after which all wall clocks are moved forward by the rest. A
/// condition with a time limit gets at least half a minute, since real processes share the machine with others.
struct ProcessBackend: ScenarioBackend {
    private static let longestWait = Duration.seconds(3)
    private static let shortestLimit = Duration.seconds(30)
    private static let pause = Duration.milliseconds(50)

    private(set) var fleet: NodeFleet

    /// Creates a backend in a folder, with a running hub; the engines' journals go to another folder if one is given.
    init(folder: String, program: String, recordFolder: String? = nil) async throws {
        fleet = NodeFleet(folder: folder, program: program, recordFolder: recordFolder)
        try await fleet.start("hub")
    }

    /// Ends all processes; returns those that had ended by themselves.
    @discardableResult
    mutating func end() async -> [NodeLoss] {
        await fleet.killAll()
    }

    func limit(for duration: Duration) -> Duration { max(duration, Self.shortestLimit) }

    mutating func pass(atMost remaining: Duration) async throws -> Duration {
        let pause = min(remaining, Self.pause)
        try await Task.sleep(for: pause)
        return pause
    }

    mutating func observation(of device: String) async throws -> DeviceObservation {
        guard fleet[device].isRunning else {
            var observation = DeviceObservation()
            observation.isRunning = false
            return observation
        }
        return try await tell(device, NodeOrder(.look)).observation ?? DeviceObservation()
    }

    @discardableResult
    private func tell(_ device: String, _ order: NodeOrder) async throws -> NodeReport {
        do {
            return try await fleet.process(of: device).tell(order)
        } catch let failure as CommandFailure {
            throw ScenarioFailure(failure.description)
        } catch let loss as NodeLoss {
            throw ScenarioFailure(loss.description)
        }
    }

    mutating func perform(_ action: ScenarioAction) async throws {
        do {
            try await carryOut(action)
        } catch let loss as NodeLoss {
            throw ScenarioFailure(loss.description)
        }
    }

    private mutating func carryOut(_ action: ScenarioAction) async throws {
        switch action {
        case .introduce(let name): fleet[name] = NodeFleet.Device(pairedName: name)
        case .pair(let name): try await fleet.pair(name)
        case .unpair(let name):
            var order = NodeOrder(.unpair)
            order.watch = fleet[name].pairedName
            try await tell("hub", order)
        case .change(let device, let changes): try await change(by: device, changes)
        case .deleteRecord(let device, let record): try await delete(record, by: device)
        case .settle(let device, let cell, let restoring): try await settle(by: device, cell, restoring: restoring)
        case .sendItem(let sender, let receiver, let text, let isUrgent):
            var order = NodeOrder(.item)
            (order.watch, order.text, order.isUrgent) = (fleet[receiver].pairedName, text, isUrgent)
            try await tell(sender, order)
        case .ask(let sender, let receiver, let question, let outcome):
            try await ask(from: sender, to: receiver, question, outcome)
        case .sendFile(let sender, let receiver, let file):
            var order = NodeOrder(.file)
            (order.watch, order.file, order.byteCount) = (fleet[receiver].pairedName, file.name, file.byteCount)
            try await tell(sender, order)
        case .wait(let duration): try await wait(duration)
        case .expect: break
        case .cut(let name, let cut):
            let device = fleet[name]
            try await fleet.cut(
                name, outgoing: cut != .fromHub || device.losesOutgoing,
                incoming: cut != .toHub || device.losesIncoming)
        case .cutDuringFile(let name, let file, let percent): try await fleet.cut(name, at: (file, percent))
        case .heal(let name): try await fleet.heal(name)
        case .kill(let device):
            guard fleet[device].process != nil else { throw ScenarioFailure("\(device) does not run") }
            try await fleet.kill(device)
        case .start(let device): try await fleet.start(device)
        case .stop(let device):
            try fleet.suspend(device)
        case .goOn(let device):
            fleet.resume(device)
            try await fleet.setClock(of: device)
        case .backUp(let device, let label): try await fleet.backUp(device, as: label)
        case .restore(let device, let label): try await fleet.restore(device, from: label)
        case .clone(let original, let name): try await fleet.clone(original, as: name)
        case .speak(let device, let versions):
            fleet[device].versions = versions
            try await restartIfRunning(device)
        case .name(let watch, let app):
            fleet[watch].app = app
            try await restartIfRunning(watch)
        case .turnClock(let device, let step):
            try await fleet.turnClock(of: device, byMilliseconds: step.wholeNanoseconds / 1_000_000)
        }
    }

    private mutating func restartIfRunning(_ device: String) async throws {
        guard fleet[device].process != nil else { return }
        try await fleet.kill(device)
        try await fleet.start(device)
    }

    private mutating func wait(_ duration: Duration) async throws {
        let real = min(duration, Self.longestWait)
        try await Task.sleep(for: real)
        if duration > real { try await fleet.skip(milliseconds: (duration - real).wholeNanoseconds / 1_000_000) }
    }

    // MARK: - Actions of devices

    private func change(by device: String, _ changes: [ScenarioChange]) async throws {
        var order = NodeOrder(.change)
        order.changes = changes.map { NodeOrder.Change(cell: $0.cell.text, value: $0.value) }
        try await tell(device, order)
    }

    private mutating func delete(_ record: String, by device: String) async throws {
        let cells = try await observation(of: device).cells.keys.compactMap { CellName($0) }.filter {
            $0.record == record
        }
        guard !cells.isEmpty else { throw ScenarioFailure("\(device) shows no \(record) to delete") }
        try await change(by: device, cells.sorted().map { ScenarioChange(cell: $0, value: nil) })
    }

    private mutating func settle(by device: String, _ cell: CellName, restoring: Bool) async throws {
        guard let conflict = try await observation(of: device).conflicts.first(where: { $0.cell == cell.text }) else {
            throw ScenarioFailure("\(device) knows no open conflict on \(cell.text)")
        }
        var order = NodeOrder(.settle)
        (order.conflict, order.isRestoring) = (conflict.id, restoring)
        try await tell(device, order)
    }

    private mutating func ask(
        from sender: String, to receiver: String, _ question: String, _ outcome: ScenarioOutcome
    ) async throws {
        if case .answer(let text) = outcome { try await fleet.script(question, text, at: receiver) }
        var order = NodeOrder(.ask)
        (order.watch, order.text) = (fleet[receiver].pairedName, question)
        let found = try await tell(sender, order).text
        let expected =
            switch outcome {
            case .answer(let text): "answer \(text)"
            case .noAnswer: "no answer"
            case .notReachable: "not reachable"
            }
        guard found == expected else { throw ScenarioFailure("the outcome is: \(found ?? "none")") }
    }
}
