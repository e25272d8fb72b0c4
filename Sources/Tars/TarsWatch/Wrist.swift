package import Appliances
package import Companion
import Foundation
import Platform
import Primitives
package import TarsApp
import Text
package import WatchConnectivity

/// A watch of a home: the last view, and the commands that it sent.
package actor Wrist {
    /// What a face shows.
    package struct Shown: Sendable {
        /// The home; nil before the first view.
        package var view: HomeView?
        /// Whether the phone can be reached.
        package var isReachable = false
        /// Where the last command for each thing, or for each shortcut, stands.
        package var statuses: [String: CommandStatus] = [:]
        /// A sentence above all; nil for none.
        package var notice: String?
        /// The edits that lost against newer ones and wait for a person, in words.
        package var lost: [String] = []
        /// Whether the phone has all edits of this watch.
        package var isInStep = true

        /// Nothing is known yet.
        package init() {}
    }

    private struct Sent {
        var id: Appliances.Command.ID
        var subject: String
        var machine: CommandMachine
    }

    /// How long a command is valid.
    private static let timeToLive = Duration.seconds(5)
    private static let sentCountMax = 16

    private let host: WatchHost<TarsApp>
    private let records: SharedRecords
    private let board = ShownBoard(Shown())
    /// What the phone sent last, without the edits of this watch.
    private var sentView: HomeView?
    private var sent: [Sent] = []
    private var waiters: [Appliances.Command.ID: [CheckedContinuation<Void, Never>]] = [:]

    /// Creates a watch; nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - host: What brings views and takes commands.
    ///   - records: What is edited on the phone and on watches; its rules are ``HomeRecords/rules``.
    package init(_ host: WatchHost<TarsApp>, records: SharedRecords) {
        self.host = host
        self.records = records
    }

    /// What a face shows now; on any thread.
    package nonisolated var shown: Shown { board.shown }

    /// Yields after a change.
    package nonisolated var changes: AsyncStream<Void> { board.changes }

    /// Works until the task is cancelled.
    ///
    /// - Throws: What the host throws.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [host] in try await host.run() }
            group.addTask { for await event in self.host.events { await self.take(event) } }
            group.addTask { [records] in for await _ in records.changes { await self.showHome() } }
            group.addTask {
                while true {
                    try await Task.sleep(for: .milliseconds(250))
                    await self.tick()
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func take(_ event: WatchHost<TarsApp>.Event) {
        switch event {
        case .view(let view):
            for one in sent {
                let listed = view.asked.first { $0.id == one.id }?.status
                handle(one.id, .context(listed, madeAt: view.madeAt))
            }
            sentView = view
            showHome()
        case .event(let ending): handle(ending.id, .context(ending.status, madeAt: Timestamp(milliseconds: 0)))
        case .reachable(let isReachable): board.change { $0.isReachable = isReachable }
        case .tooOld, .phoneTooOld: board.change { $0.notice = event.advice }
        case .file: break
        }
    }

    /// Shows the phone's home with what was edited here, too.
    private func showHome() {
        let values = records.values
        let view = sentView.map { HomeRecords(values).edited($0) }
        let lost = records.conflicts.compactMap { view?.words($0) }
        let isInStep = !values.values.contains(where: \.isPending)
        board.change { shown in
            shown.view = view
            shown.lost = lost
            shown.isInStep = isInStep
        }
    }

    /// Edits names, rooms, shortcuts and scenes on this watch, also out of reach of the phone; when this returns, the edit
    /// survives a power cut, and the phone learns it at the next link.
    ///
    /// - Throws: What `body` throws, ``NameProblem`` with the reason of a refusal, and `SharedRecordsError`.
    package func edit(_ body: (inout HomeRecords) throws -> Void) async throws {
        let before = HomeRecords(records.values)
        var next = before
        try body(&next)
        try next.check()
        if case .refused(let reason) = try await records.change(next.values(changing: before)) {
            throw NameProblem(reason: reason)
        }
        showHome()
    }

    /// Sends a command, and waits for the phone's answer.
    ///
    /// - Parameters:
    ///   - order: What is wanted.
    ///   - subject: The identity of the thing or the shortcut, under which its status is shown.
    ///   - isConfirmed: Whether a person has confirmed it.
    /// - Returns: Where it stands.
    @discardableResult
    package func send(
        _ order: WatchCommand.Order, for subject: String, isConfirmed: Bool = false
    ) async -> CommandStatus {
        let id = CommandID()
        let until = Timestamp.now.advanced(byMilliseconds: Self.timeToLive.wholeNanoseconds / 1_000_000)
        var machine = CommandMachine(until: until, timeToLive: Self.timeToLive)
        machine.handle(.key(isReachable: true), at: Moment.now.monotonic)
        sent.append(Sent(id: id.commandID, subject: subject, machine: machine))
        while sent.count > Self.sentCountMax { wake(sent.removeFirst().id) }
        show(id.commandID)
        let command = WatchCommand(order, until: until, isConfirmed: isConfirmed)
        switch await host.send(command, id, within: Self.timeToLive) {
        case .done(let status): handle(id.commandID, .reply(status))
        case .refused(let reason): handle(id.commandID, .reply(.refused(Self.reason(reason))))
        case .unreachable: handle(id.commandID, .reply(.refused(.phoneUnreachable)))
        case .expired: handle(id.commandID, .reply(.expired))
        case .unknown: handle(id.commandID, .linkLost)
        }
        return status(of: id.commandID)
    }

    /// Sends a command, and waits until it is settled, or for its time and the grace.
    package func settled(_ order: WatchCommand.Order, for subject: String, isConfirmed: Bool) async -> CommandStatus {
        let status = await send(order, for: subject, isConfirmed: isConfirmed)
        guard status == .sent, let id = sent.last(where: { $0.subject == subject })?.id else { return status }
        await withCheckedContinuation { waiters[id, default: []].append($0) }
        return self.status(of: id)
    }

    private func status(of id: Appliances.Command.ID) -> CommandStatus {
        sent.first { $0.id == id }?.machine.status ?? .unknown
    }

    /// The host's refusals are sentences for developers; people see the reason.
    private static func reason(_ text: String) -> Reason {
        if text.hasPrefix("needs ") { return .notGranted }
        return text == "busy" ? .busy : .unsupported
    }

    private func handle(_ id: Appliances.Command.ID, _ input: CommandMachine.Input) {
        guard let index = sent.firstIndex(where: { $0.id == id }) else { return }
        sent[index].machine.handle(input, at: Moment.now.monotonic)
        show(id)
        // Sent and asked end by the word of the device, or by the grace.
        guard ![.asked, .sent].contains(sent[index].machine.status) else { return }
        wake(id)
    }

    private func wake(_ id: Appliances.Command.ID) {
        for waiter in waiters.removeValue(forKey: id) ?? [] { waiter.resume() }
    }

    private func tick() {
        for one in sent { handle(one.id, .tick) }
    }

    private func show(_ id: Appliances.Command.ID) {
        guard let one = sent.first(where: { $0.id == id }) else { return }
        guard board.shown.statuses[one.subject] != one.machine.status else { return }
        board.change { $0.statuses[one.subject] = one.machine.status }
    }
}
