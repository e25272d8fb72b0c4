import CommandSupport
import Foundation
import PoolControl
import SyncCore
import SyncSimulation

/// The nodes of a run, with the data to start them again.
struct NodeFleet {
    /// A device: its folder outlives its process.
    struct Device {
        /// Its process, running or suspended; nil before its start and after its end.
        fileprivate(set) var process: NodeProcess?
        var versions = ScenarioSchema.versions
        /// Its application name.
        var app: AppName? = ScenarioSchema.app
        /// The name under which the hub knows it; a clone has that of its original.
        var pairedName: String
        var losesOutgoing = false
        var losesIncoming = false
        var cutAt: (file: String, percent: Int)?
        /// The offset of its wall clock from the others', in milliseconds.
        var clockOffset = Int64(0)
        /// Its replies, by question.
        var replies: [String: String] = [:]

        var isRunning: Bool { process.map { !$0.isSuspended } ?? false }
        var isSuspended: Bool { process?.isSuspended ?? false }
    }

    let folder: String
    private(set) var devices: [String: Device] = [:]
    private var endpoint: String?
    /// The offset of all wall clocks from the machine's, in milliseconds: the sum of the skipped waits.
    private var skipped = Int64(0)

    /// The path of this program.
    private let program: String

    /// The folder for the engines' journals that can be replayed; nil for none.
    private let recordFolder: String?

    /// Describes a hub that does not run yet.
    init(folder: String, program: String, recordFolder: String? = nil) {
        self.folder = folder
        self.recordFolder = recordFolder
        self.program = program
        devices["hub"] = Device(pairedName: "hub")
    }

    subscript(name: String) -> Device {
        get { devices[name] ?? Device(pairedName: name) }
        set { devices[name] = newValue }
    }

    func state(of name: String) -> String { "\(folder)/\(name)" }
    func journal(of name: String) -> String { "\(folder)/\(name).journal" }
    /// The journal of its engine, nil if none is kept.
    func recording(of name: String) -> String? { recordFolder.map { "\($0)/\(name).engine" } }
    private func copy(_ label: String) -> String { "\(folder)/copy-\(label)" }

    /// The process of a device.
    ///
    /// - Throws: ``ScenarioFailure`` if it does not run.
    func process(of name: String) throws -> NodeProcess {
        guard let process = self[name].process, !process.isSuspended else {
            throw ScenarioFailure("\(name) does not run")
        }
        return process
    }

    /// Starts a device.
    ///
    /// - Throws: ``NodeLoss`` if its process ends at once, or does not get ready.
    mutating func start(_ name: String, invitation: String? = nil) async throws {
        var device = self[name]
        guard device.process == nil else { throw ScenarioFailure("\(name) runs already") }
        var arguments = [
            name == "hub" ? "hub" : "watch", "--state", state(of: name), "--journal", journal(of: name),
            "--oldest", "\(device.versions.lowerBound)", "--newest", "\(device.versions.upperBound)",
        ]
        if name != "hub" { arguments += ["--name", device.pairedName, "--app", device.app?.text ?? ""] }
        if name == "hub", let endpoint { arguments += ["--endpoint", endpoint] }
        if let invitation { arguments += ["--invitation", invitation] }
        if let record = recording(of: name) { arguments += ["--record", record] }
        if offset(of: device) != 0 { arguments.append("--clock-offset=\(offset(of: device))") }
        if device.losesOutgoing { arguments.append("--loses-outgoing") }
        if device.losesIncoming { arguments.append("--loses-incoming") }
        let process = try NodeProcess(name: name, program: program, arguments)
        do {
            let ready = try await process.ready()
            if name == "hub" { endpoint = ready }
        } catch {
            // No other code has the process yet.
            await process.kill()
            throw error
        }
        device.process = process
        self[name] = device
        for (question, reply) in device.replies { try await script(question, reply, at: name) }
        if let due = device.cutAt { try await cut(name, at: due) }
    }

    /// Invites a watch and starts it with the invitation.
    mutating func pair(_ name: String) async throws {
        var order = NodeOrder(.invite)
        order.watch = self[name].pairedName
        let report = try await process(of: "hub").tell(order)
        try await start(name, invitation: report.text)
    }

    /// Ends the process of a device at once.
    ///
    /// - Throws: ``NodeLoss`` if it had ended by itself: an intended kill must not hide a crash.
    mutating func kill(_ name: String) async throws(NodeLoss) {
        let end = await self[name].process?.kill()
        self[name].process = nil
        if let end { throw NodeLoss.ended(name, end) }
    }

    /// Suspends the process of a device.
    ///
    /// - Throws: ``ScenarioFailure`` if it does not run.
    func suspend(_ name: String) throws {
        try process(of: name).suspend()
    }

    /// Lets a suspended process continue.
    func resume(_ name: String) {
        self[name].process?.resume()
    }

    /// Ends all processes; returns those that had ended by themselves.
    @discardableResult
    mutating func killAll() async -> [NodeLoss] {
        var losses: [NodeLoss] = []
        for name in devices.keys.sorted() {
            do throws(NodeLoss) {
                try await kill(name)
            } catch {
                losses.append(error)
            }
        }
        return losses
    }

    // MARK: - Faults and replies

    mutating func cut(_ name: String, outgoing: Bool, incoming: Bool) async throws {
        self[name].losesOutgoing = outgoing
        self[name].losesIncoming = incoming
        var order = NodeOrder(.cut)
        (order.losesOutgoing, order.losesIncoming) = (outgoing, incoming)
        // A device that does not run is cut from its next start.
        if self[name].process != nil { try await process(of: name).tell(order) }
    }

    mutating func cut(_ name: String, at due: (file: String, percent: Int)) async throws {
        self[name].cutAt = due
        var order = NodeOrder(.cutAtFile)
        (order.file, order.percent) = due
        if self[name].process != nil { try await process(of: name).tell(order) }
    }

    mutating func heal(_ name: String) async throws {
        self[name].losesOutgoing = false
        self[name].losesIncoming = false
        self[name].cutAt = nil
        if self[name].process != nil { try await process(of: name).tell(NodeOrder(.heal)) }
    }

    mutating func script(_ question: String, _ reply: String?, at name: String) async throws {
        self[name].replies[question] = reply
        var order = NodeOrder(.script)
        (order.text, order.reply) = (question, reply)
        try await process(of: name).tell(order)
    }

    /// Changes a device's wall clock by some milliseconds.
    mutating func turnClock(of name: String, byMilliseconds step: Int64) async throws {
        self[name].clockOffset += step
        try await setClock(of: name)
    }

    /// Moves all wall clocks forward at once, as if time had passed.
    mutating func skip(milliseconds: Int64) async throws {
        skipped += milliseconds
        for name in devices.keys.sorted() { try await setClock(of: name) }
    }

    private func offset(of device: Device) -> Int64 { skipped + device.clockOffset }

    /// Sets the wall clock of a device.
    func setClock(of name: String) async throws {
        // A device that does not run gets it at its start, a stopped one when it continues.
        guard self[name].isRunning else { return }
        var order = NodeOrder(.clock)
        order.milliseconds = offset(of: self[name])
        try await process(of: name).tell(order)
    }

    // MARK: - Copies

    /// Works on the folders while a device does not run, and starts it again if it was running.
    private mutating func whileStopped(_ name: String, _ action: (NodeFleet) throws -> Void) async throws {
        let wasRunning = self[name].process != nil
        try await kill(name)
        try action(self)
        if wasRunning { try await start(name) }
    }

    mutating func backUp(_ name: String, as label: String) async throws {
        try await whileStopped(name) { try Self.replace($0.copy(label), by: $0.state(of: name)) }
    }

    mutating func restore(_ name: String, from label: String) async throws {
        try await whileStopped(name) { try Self.replace($0.state(of: name), by: $0.copy(label)) }
    }

    mutating func clone(_ original: String, as name: String) async throws {
        var device = self[original]
        (device.process, device.cutAt) = (nil, nil)
        (device.losesIncoming, device.losesOutgoing) = (false, false)
        devices[name] = device
        try await whileStopped(original) { fleet in
            try Self.replace(fleet.state(of: name), by: fleet.state(of: original))
            try Self.replace(fleet.journal(of: name), by: fleet.journal(of: original))
        }
        try await start(name)
    }

    private static func replace(_ target: String, by source: String) throws {
        let files = FileManager.default
        do {
            if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
            try files.copyItem(atPath: source, toPath: target)
        } catch {
            throw CommandFailure("cannot copy \(source) to \(target): \(SystemErrorText.of(error))")
        }
    }
}
