import CommandSupport
import Foundation
import Platform
import PoolHub
import PoolModel
import PoolScreens
import PoolWatch
import TerminalUI

/// Runs a watch and shows it, in one of its modes.
struct WatchShell {
    let session: WatchSession
    /// How much detail sentences have.
    let detail: PlainFollower.Detail
    /// The file for the counts; nil for none.
    let tally: CountsFile?

    // MARK: - Single answer

    /// Asks the hub, and prints its answer or else the stored data, and which of the two it is.
    ///
    /// - Returns: The status for the process.
    func once(_ notation: WatchMode.Notation, timeout: Duration, lifeline: String?) async throws -> Int32 {
        guard session.isPaired else {
            // Programs that read lines, such as tmux, do not show standard error.
            if let line = notation.line(session.glance()) { Output.standard.line(line) }
            throw CommandFailure(session.pairingAdvice, exitStatus: .noHub)
        }
        let session = session
        let answer = FirstGlance()
        _ = try await untilStopped(lifeline: lifeline) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                group.addTask {
                    guard let watch = session.watchNow else { return }
                    // The time of the answer, not that of the question.
                    let clock = { @Sendable in TimeOfDay(.now).minutes }
                    if case .glance(let glance) = await watch.askedGlance(clock: clock, patience: timeout) {
                        answer.take(glance)
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        let glance = answer.glance ?? session.glance()
        if let missing = session.missingDevice { throw CommandFailure(missing) }
        for line in notation.lines(glance) { Output.standard.line(line) }
        if let advice = session.selectionAdvice { Output.errors.line("poolsensors: \(PlainText.oneLine(advice))") }
        return ExitStatus(Headline(glance)).rawValue
    }

    // MARK: - Lines

    /// Writes lines until it is stopped.
    ///
    /// - Returns: The status for the process.
    func follow(_ notation: WatchMode.Notation, lifeline: String?) async throws -> Int32 {
        let (session, detail, tally) = (session, detail, tally)
        if !session.isPaired { Output.errors.line("waiting: \(session.pairingAdvice)") }
        _ = try await untilStopped(lifeline: lifeline) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                group.addTask { await WatchLines(session, notation, detail).run() }
                group.addTask { await tally?.keep(session) }
                defer { group.cancelAll() }
                try await group.waitForAll()
            }
        }
        tally?.write(session.status)
        return 0
    }

    // MARK: - Face

    /// Draws the face until the person ends it.
    ///
    /// - Returns: How it ended.
    func face(
        _ screen: WatchScreen, usesMouse: Bool, lifeline: String?,
        rememberTheme: @escaping @Sendable (Theme.Appearance) -> Void
    ) async throws -> LoopEnd {
        let (session, tally) = (session, tally)
        let cut = try lifeline.map { try ProcessGroupLock.cut(path: $0) }
        let controller = WatchController(
            watch: { session.watchNow }, glance: { session.glance() }, wake: { TerminalWaker().wake() })
        let end = try await withThrowingTaskGroup(of: LoopEnd?.self) { group in
            group.addTask {
                try await session.run()
                return nil
            }
            group.addTask {
                await controller.run()
                return nil
            }
            group.addTask {
                // A face of a demo, beside others, stays bright for as long as that runs.
                try await Self.draw(
                    screen, controller, usesMouse: usesMouse, unattendedAfter: lifeline == nil ? .seconds(120) : nil,
                    quits: lifeline == nil ? .watch : .demo, rememberTheme: rememberTheme)
            }
            group.addTask {
                await tally?.keep(session)
                return nil
            }
            if let cut {
                group.addTask {
                    for await _ in cut {
                        // The terminal's session handles the signals, so a signal ends it.
                        kill(getpid(), SIGTERM)
                    }
                    return nil
                }
            }
            defer { group.cancelAll() }
            while let end = try await group.next() {
                if let end { return end }
            }
            return LoopEnd.quit
        }
        tally?.write(session.status)
        return end
    }

    /// Draws on a separate thread, which owns the terminal's session.
    private static func draw(
        _ screen: WatchScreen, _ controller: WatchController, usesMouse: Bool, unattendedAfter: Duration?,
        quits: QuitEffect, rememberTheme: @escaping @Sendable (Theme.Appearance) -> Void
    ) async throws -> LoopEnd {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    var terminal = try TerminalSession(usesMouse: usesMouse)
                    var loop = TerminalLoop(
                        WatchProgram(
                            screen, quits: quits, facts: { controller.facts(for: $0) },
                            perform: { controller.perform($0) },
                            rememberTheme: rememberTheme),
                        depth: screen.capabilities.depth, erasesWithColor: screen.capabilities.erasesWithColor,
                        unattendedAfter: unattendedAfter)
                    let end = try loop.run(in: &terminal)
                    terminal.close()
                    continuation.resume(returning: end)
                } catch {
                    continuation.resume(throwing: CommandFailure(error))
                }
            }
        }
    }
}

/// Keeps the first glance that it gets: later ones show a link that is being closed.
private final class FirstGlance: Sendable {
    private let kept = Lock<Glance?>(nil)

    var glance: Glance? { kept.withLock(\.self) }

    func take(_ glance: Glance) {
        kept.withLock { $0 = $0 ?? glance }
    }
}

/// Writes a watch's changes as lines.
struct WatchLines {
    private let session: WatchSession
    private let notation: WatchMode.Notation
    private let detail: PlainFollower.Detail

    init(_ session: WatchSession, _ notation: WatchMode.Notation, _ detail: PlainFollower.Detail) {
        self.session = session
        self.notation = notation
        self.detail = detail
    }

    /// Writes until the task is cancelled.
    func run() async {
        let (ticks, ticking) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [session] in
                for await _ in session.changes { ticking.yield() }
                ticking.finish()
            }
            group.addTask {
                // Freshness also changes as time passes; cancellation ends the sleep and the loop.
                while !Task.isCancelled {
                    ticking.yield()
                    try? await Task.sleep(for: .seconds(1))
                }
            }
            var follower = PlainFollower(detail)
            var shown: Glance?
            var written: String?
            for await _ in ticks {
                let glance = session.glance()
                switch notation {
                case .plain: for line in follower.lines(for: glance) { Output.standard.line(line) }
                case .json:
                    let facts = glance.withoutAges
                    guard facts != shown, let text = notation.line(glance) else { continue }
                    shown = facts
                    Output.standard.line(text)
                case .format, .tmux:
                    guard let line = notation.line(glance), line != written else { continue }
                    written = line
                    Output.standard.line(line)
                }
            }
            group.cancelAll()
        }
    }
}

/// A file with the counts of what a watch received, for the process that started the watch.
struct CountsFile: Sendable {
    let path: String

    /// Writes the counts when they have changed, at most twice a second, until the task is cancelled.
    func keep(_ session: WatchSession) async {
        var written: WatchStatus?
        while !Task.isCancelled {
            let status = session.status
            if status != written {
                write(status)
                written = status
            }
            // Cancellation ends the sleep and the loop.
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Writes the counts; the file is always complete.
    func write(_ status: WatchStatus?) {
        guard let status else { return }
        do {
            try Data((status.jsonLine() + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            Output.errors.line("poolsensors: cannot write \(path): \(SystemErrorText.of(error))")
        }
    }
}
