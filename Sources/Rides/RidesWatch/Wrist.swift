package import Companion
import Foundation
import Platform
package import RidesApp
import Text
import WatchConnectivity

/// A watch of a person: the last view, the last events, and what became of commands.
package actor Wrist {
    /// What a face shows.
    package struct Shown: Sendable {
        /// The last view; nil before the first.
        package var view: RidesView?
        /// Whether the phone can be reached.
        package var isReachable = false
        /// The newest events as lines, the newest last.
        package var events: [String] = []
        /// A sentence above all; nil for none.
        package var notice: String?

        /// Nothing yet.
        package init() {}
    }

    private static let eventCountMax = 50
    /// How long a face shows why a command was not done.
    private static let noticeTime = Duration.seconds(15)
    /// How long a command is valid; the phone tries a server that is away for 10 s.
    private static let timeToLive = Duration.seconds(15)

    private let host: WatchHost<RidesApp>
    private let journal: Journal
    private let filesFolder: URL
    private let board = ShownBoard(Shown())

    /// Creates a watch with its folder.
    ///
    /// - Parameters:
    ///   - name: Its name at the phone.
    ///   - place: Where it keeps what it has, and finds the phone.
    ///   - code: The code, to pair with a phone of another machine.
    /// - Throws: What the folder says.
    package init(name: String, in place: CompanionPlace, code: String?) throws {
        host = try place.watch(RidesApp.self, name: name, code: code)
        journal = try Journal(path: "\(place.folder)/journal")
        filesFolder = URL(filePath: "\(place.folder)/files")
    }

    /// What a face shows now; on any thread.
    package nonisolated var shown: Shown { board.shown }

    /// Yields after a change.
    package nonisolated var changes: AsyncStream<Void> { board.changes }

    /// Works until the task is cancelled.
    ///
    /// - Throws: What the host throws, and what the disk says of the journal: an event that is not kept comes again.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [host] in try await host.run() }
            group.addTask { for await event in self.host.events { try await self.take(event) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func take(_ event: WatchHost<RidesApp>.Event) throws {
        switch event {
        case .view(let view): board.change { $0.view = view }
        case .event(let event):
            guard try journal.take(event) else { return }
            board.change {
                $0.events.append(RidesText.line(event))
                $0.events.removeFirst(max(0, $0.events.count - Self.eventCountMax))
            }
        case .reachable(let isReachable): board.change { $0.isReachable = isReachable }
        case .tooOld, .phoneTooOld: board.change { $0.notice = event.advice }
        case .file(let file):
            try FileManager.default.createDirectory(at: filesFolder, withIntermediateDirectories: true)
            // The name is the phone's, and stays in the folder.
            let place = filesFolder.appending(path: URL(filePath: file.info.name).lastPathComponent)
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.moveItem(at: file.file, to: place)
            board.change { $0.events.append("received \(place.path)") }
        }
    }

    /// Sends a command, and waits for its outcome.
    package func send(_ command: RidesCommand) async -> CommandOutcome<RidesReply> {
        await host.send(command, within: Self.timeToLive)
    }

    /// Sends a command, and shows what became of it.
    package func act(_ command: RidesCommand) async {
        board.change { $0.notice = "…" }
        let end = WatchEnd(await send(command))
        board.change { $0.notice = end.status == 0 ? nil : end.line }
        // Cancellation ends the pause, and the face with it.
        try? await Task.sleep(for: Self.noticeTime)
        board.change { if $0.notice == end.line { $0.notice = nil } }
    }
}

/// How a command ended, in words and as the status of a program.
package struct WatchEnd: Hashable, Sendable {
    /// The words.
    package let line: String
    /// 0 done, 1 not sent, 2 refused, 3 not known or too late.
    package let status: Int32

    /// Reads an outcome.
    package init(_ outcome: CommandOutcome<RidesReply>) {
        switch outcome {
        case .done(.done(let course)): (line, status) = (course.map { "done: ride \($0)" } ?? "done", 0)
        case .done(.refused(let reason)), .refused(let reason): (line, status) = ("refused: \(reason)", 2)
        case .done(.unknown), .unknown: (line, status) = ("unknown: what is shown says what became of it", 3)
        case .unreachable: (line, status) = ("the phone is out of reach: nothing was sent", 1)
        case .expired: (line, status) = ("too late: nothing was done", 3)
        }
    }
}
