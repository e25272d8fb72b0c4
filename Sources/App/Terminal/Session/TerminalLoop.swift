/// Runs a ``TerminalProgram`` in a terminal session: events in, frames out.
///
/// A frame is drawn after an input that changed something (at once, at most fifty times a second), and after the
/// program was refreshed: once a second, and when another thread called ``TerminalWaker/wake()``, at most ten times a
/// second. Unchanged cells need no bytes, and a frame has at most 4 kB: a longer one is sent in parts, row by row. ^L
/// redraws everything, ^Z stops the process until it is continued, and ^C ends.
///
/// ```swift
/// var session = try TerminalSession()
/// var loop = TerminalLoop(program, depth: capabilities.depth)
/// let end = try loop.run(in: &session)
/// session.close()
/// exit(end.exitStatus)
/// ```
public struct TerminalLoop<Program: TerminalProgram> {
    /// The program in its present state.
    public private(set) var program: Program

    /// The longest time from an input to its frame.
    private static var inputInterval: Duration { .milliseconds(20) }
    private static var wakeInterval: Duration { .milliseconds(100) }
    private static var unattendedInterval: Duration { .seconds(1) }
    private static var refreshInterval: Duration { .seconds(1) }
    /// The most bytes of a frame, so that a slow connection soon has capacity for input.
    private static var frameLimit: Int { 4096 }

    private var renderer: Renderer
    private let unattendedAfter: Duration?
    private var view = TerminalView(size: Size(columns: 0, rows: 0))
    private var lastInput = Duration.zero
    private var lastFrame: Duration?
    private var nextRefresh = Duration.zero
    private var isWoken = false
    private var mustDraw = true
    private var isAnsweringInput = true
    /// What is sent before the next frame.
    private var control: [UInt8] = []
    /// Whether a text is shown alone, so that no frame is drawn.
    private var isRevealing = false
    private let usesMouse: Bool

    /// Creates a loop.
    /// - Parameters:
    ///   - program: The program to run.
    ///   - depth: The colours to draw with.
    ///   - erasesWithColor: Whether a cleared screen gets the present background colour.
    ///   - usesMouse: Whether the session reports the mouse.
    ///   - unattendedAfter: The time without input after which the terminal counts as unattended; nil for never.
    public init(
        _ program: Program, depth: ColorDepth, erasesWithColor: Bool = true, usesMouse: Bool = true,
        unattendedAfter: Duration? = .seconds(120)
    ) {
        self.program = program
        self.usesMouse = usesMouse
        self.unattendedAfter = unattendedAfter
        renderer = Renderer(depth: depth, erasesWithColor: erasesWithColor)
    }

    /// Draws and waits, until the end.
    public mutating func run(in session: inout TerminalSession) throws(TerminalError) -> LoopEnd {
        let start = ContinuousClock.now
        while true {
            let now = start.duration(to: .now)
            switch work(at: now, size: session.size) {
            case .end: return .stopped
            case .wait: break
            case .show(let bytes):
                // A terminal that accepts no bytes any more was closed.
                guard (try? session.write(bytes)) != nil else { return .inputClosed }
            }
            let done = start.duration(to: .now)
            finishFrame(begunAt: now, at: done)
            var wait = milliseconds(until: deadline, from: done)
            // Inputs that were read together are handled together, and shown in one frame.
            repeat {
                let event = try session.nextEvent(timeoutMilliseconds: wait)
                if let end = take(event, at: start.duration(to: .now)) { return end }
                wait = 0
            } while session.hasPendingEvents
        }
    }

    // MARK: Steps

    /// The work to do at a moment.
    package enum Work: Equatable {
        case wait
        case show([UInt8])
        case end
    }

    /// Refreshes and draws if that is due.
    package mutating func work(at now: Duration, size: Size) -> Work {
        if size != view.size { (view.size, mustDraw, isAnsweringInput) = (size, true, true) }
        let isUnattended = unattendedAfter.map { now - lastInput >= $0 } ?? false
        if isUnattended != view.isUnattended { (view.isUnattended, mustDraw) = (isUnattended, true) }
        guard now >= earliest else { return .wait }
        if isWoken || now >= nextRefresh {
            isWoken = false
            nextRefresh = now + Self.refreshInterval
            switch program.refresh(in: view) {
            case .redraw: mustDraw = true
            case .copy(let text): (mustDraw, control) = (true, Clipboard.sequence(for: text))
            case .reveal(let text): reveal(text)
            case .unchanged: lastFrame = now
            case .end: return .end
            }
        }
        guard mustDraw else { return .wait }
        (mustDraw, isAnsweringInput, lastFrame) = (false, false, now)
        defer { control = [] }
        if isRevealing { return control.isEmpty ? .wait : .show(control) }
        let bytes = control + renderer.frame(program.draw(in: view).filling(size), limit: Self.frameLimit)
        // The rest follows soon; between the parts there is time for input.
        if !renderer.isComplete { (mustDraw, isAnsweringInput) = (true, true) }
        return bytes.isEmpty ? .wait : .show(bytes)
    }

    /// Notes that a frame has been sent: the pause before the next one begins now, so that a slow terminal or a slow
    /// program still has time for input.
    package mutating func finishFrame(begunAt beginning: Duration, at now: Duration) {
        if lastFrame == beginning { lastFrame = now }
    }

    /// The moment of the next work if nothing happens.
    package var deadline: Duration {
        let next = mustDraw || isWoken ? earliest : max(earliest, nextRefresh)
        guard let unattendedAfter, !view.isUnattended else { return next }
        return min(next, lastInput + unattendedAfter)
    }

    /// The moment before which no frame is drawn.
    private var earliest: Duration {
        guard let lastFrame else { return .zero }
        if isAnsweringInput { return lastFrame + Self.inputInterval }
        return lastFrame + (view.isUnattended ? Self.unattendedInterval : Self.wakeInterval)
    }

    /// Handles an event; returns the end of the loop if the event causes it.
    package mutating func take(_ event: TerminalEvent, at now: Duration) -> LoopEnd? {
        if isRevealing, isEndOfRevealing(event) {
            conceal(at: now)
            return nil
        }
        switch event {
        case .terminationRequested(let signal): return .terminated(signal)
        case .inputClosed: return .inputClosed
        case .woken: isWoken = true
        case .resumed, .resized:
            // A terminal that shrank and grew again lost what it showed, although the size is the same.
            redrawAll()
        case .timedOut: break
        case .input(.focus(let isFocused)):
            // A person may look at a window that does not have the focus, so the loss of the focus is ignored.
            if isFocused { attend(at: now) }
        case .input(.key(.control("l"))):
            attend(at: now)
            redrawAll()
        case .input(let input):
            attend(at: now)
            switch program.handle(input, in: view) {
            case .redraw: (mustDraw, isAnsweringInput) = (true, true)
            case .copy(let text): (mustDraw, isAnsweringInput, control) = (true, true, Clipboard.sequence(for: text))
            case .reveal(let text): reveal(text)
            case .unchanged: break
            case .end: return .quit
            }
        }
        return nil
    }

    // MARK: A text alone

    private mutating func reveal(_ text: String) {
        isRevealing = true
        // Mouse reports off, so that the terminal selects; wrapping on, so that it copies one line.
        control = Array(
            "\u{1B}[?1000l\u{1B}[?1006l\u{1B}[?7h\u{1B}[0m\u{1B}[2J\u{1B}[H\(text.sanitized)\r\n\r\nany key returns"
                .utf8)
        (mustDraw, isAnsweringInput) = (true, true)
    }

    /// Whether an event is what a person does to return to the screens.
    private func isEndOfRevealing(_ event: TerminalEvent) -> Bool {
        switch event {
        case .input(.key), .input(.paste), .input(.mouse), .resumed: true
        case .input(.focus), .resized, .woken, .timedOut, .inputClosed, .terminationRequested: false
        }
    }

    private mutating func conceal(at now: Duration) {
        isRevealing = false
        control = Array("\u{1B}[?7l\(usesMouse ? TerminalSession.mouseSequence : "")".utf8)
        attend(at: now)
        redrawAll()
    }

    /// Notes that a person is present.
    private mutating func attend(at now: Duration) {
        lastInput = now
        guard view.isUnattended else { return }
        (view.isUnattended, mustDraw, isAnsweringInput) = (false, true, true)
    }

    private mutating func redrawAll() {
        renderer.invalidate()
        (mustDraw, isAnsweringInput) = (true, true)
    }

    private func milliseconds(until deadline: Duration, from now: Duration) -> Int32 {
        let (seconds, attoseconds) = max(.zero, deadline - now).components
        // Rounded up, so that the work is due when the wait is over.
        let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue + fraction)
    }
}

extension CellBuffer {
    /// The buffer in another size, cut off or filled up with blanks.
    fileprivate func filling(_ size: Size) -> CellBuffer {
        guard self.size != size else { return self }
        var buffer = CellBuffer(size)
        buffer.overlay(self, x: 0, y: 0)
        return buffer
    }
}
