/// Runs a ``TerminalProgram`` in a terminal session: events in, frames out.
///
/// A frame is drawn after an input that changed something (at once, fifty times a second at most), and after the
/// program was refreshed: once a second, and when another thread called ``TerminalWaker/wake()``, ten times a second at
/// most. What did not change costs no byte, and a frame has at most 4 kB: a longer one comes in parts, row by row. ^L draws everything anew, ^Z stops the process until it is continued, and
/// ^C ends.
///
/// ```swift
/// var session = try TerminalSession()
/// var loop = TerminalLoop(program, depth: capabilities.depth)
/// let end = try loop.run(in: &session)
/// session.close()
/// exit(end.exitStatus)
/// ```
public struct TerminalLoop<Program: TerminalProgram> {
    /// The program, as it is now.
    public private(set) var program: Program

    /// How long an input waits for its frame at most.
    private static var inputInterval: Duration { .milliseconds(20) }
    private static var wakeInterval: Duration { .milliseconds(100) }
    private static var unattendedInterval: Duration { .seconds(1) }
    private static var refreshInterval: Duration { .seconds(1) }
    /// The most bytes of a frame, so that a slow line soon has room for what people type.
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

    /// Creates a loop.
    /// - Parameters:
    ///   - program: What to run.
    ///   - depth: The colours to draw with.
    ///   - erasesWithColor: Whether a cleared screen has the colour that was set before.
    ///   - unattendedAfter: The time without input after which nobody seems to look; nil for never.
    public init(
        _ program: Program, depth: ColorDepth, erasesWithColor: Bool = true,
        unattendedAfter: Duration? = .seconds(120)
    ) {
        self.program = program
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
                // A terminal that takes no bytes any more has gone away.
                guard (try? session.write(bytes)) != nil else { return .inputClosed }
            }
            let done = start.duration(to: .now)
            finishFrame(begunAt: now, at: done)
            var wait = milliseconds(until: deadline, from: done)
            // What was read at once is obeyed at once, and seen in one frame.
            repeat {
                let event = try session.nextEvent(timeoutMilliseconds: wait)
                if let end = take(event, at: start.duration(to: .now)) { return end }
                wait = 0
            } while session.hasPendingEvents
        }
    }

    // MARK: Steps

    /// What there is to do at a moment.
    enum Work: Equatable {
        case wait
        case show([UInt8])
        case end
    }

    /// Refreshes and draws if it is time to.
    mutating func work(at now: Duration, size: Size) -> Work {
        view.elapsed = now
        if size != view.size { (view.size, mustDraw, isAnsweringInput) = (size, true, true) }
        let isUnattended = unattendedAfter.map { now - lastInput >= $0 } ?? false
        if isUnattended != view.isUnattended { (view.isUnattended, mustDraw) = (isUnattended, true) }
        guard now >= earliest else { return .wait }
        if isWoken || now >= nextRefresh {
            isWoken = false
            nextRefresh = now + Self.refreshInterval
            switch program.refresh(in: view) {
            case .redraw: mustDraw = true
            case .unchanged: lastFrame = now
            case .end: return .end
            }
        }
        guard mustDraw else { return .wait }
        (mustDraw, isAnsweringInput, lastFrame) = (false, false, now)
        let bytes = renderer.frame(program.draw(in: view).filling(size), limit: Self.frameLimit)
        // The rest follows soon; between the parts there is time for what is typed.
        if !renderer.isComplete { (mustDraw, isAnsweringInput) = (true, true) }
        if let change = program.nextChange(in: view) { nextRefresh = min(nextRefresh, max(now, change)) }
        return bytes.isEmpty ? .wait : .show(bytes)
    }

    /// Takes in that a frame has been sent: the pause before the next one begins now, so that a terminal or a program
    /// that is slow still has time for what people type.
    mutating func finishFrame(begunAt beginning: Duration, at now: Duration) {
        if lastFrame == beginning { lastFrame = now }
    }

    /// The moment of the next work if nothing happens.
    var deadline: Duration {
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

    /// Obeys an event; returns the end that it means.
    mutating func take(_ event: TerminalEvent, at now: Duration) -> LoopEnd? {
        view.elapsed = now
        switch event {
        case .terminationRequested(let signal): return .terminated(signal)
        case .inputClosed: return .inputClosed
        case .woken: isWoken = true
        case .resumed, .resized:
            // A terminal that shrank and grew again lost what it showed, although the size is the same.
            redrawAll()
        case .timedOut: break
        case .input(.focus(let isFocused)):
            // Who looks at a window need not have the keyboard in it, so that to lose the focus means nothing.
            if isFocused { attend(at: now) }
        case .input(.key(.control("l"))):
            attend(at: now)
            redrawAll()
        case .input(let input):
            attend(at: now)
            switch program.handle(input, in: view) {
            case .redraw: (mustDraw, isAnsweringInput) = (true, true)
            case .unchanged: break
            case .end: return .quit
            }
        }
        return nil
    }

    /// Somebody is there.
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
    /// The buffer cut or filled up with blanks to a size.
    fileprivate func filling(_ size: Size) -> CellBuffer {
        guard self.size != size else { return self }
        var buffer = CellBuffer(size)
        buffer.overlay(self, x: 0, y: 0)
        return buffer
    }
}
