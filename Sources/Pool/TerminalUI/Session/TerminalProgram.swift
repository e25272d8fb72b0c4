/// What a ``TerminalLoop`` tells a program about the terminal.
public struct TerminalView: Hashable, Sendable {
    /// The size of the terminal.
    public var size: Size
    /// The time since the loop began, by a clock that only goes forward.
    public var elapsed: Duration
    /// Whether probably nobody looks: no key and no click for two minutes.
    ///
    /// Draw dimmed then, and leave out what changes every second, such as seconds of ages.
    public var isUnattended: Bool

    /// Creates a view.
    public init(size: Size, elapsed: Duration = .zero, isUnattended: Bool = false) {
        self.size = size
        self.elapsed = elapsed
        self.isUnattended = isUnattended
    }
}

/// What a program answers.
public enum TerminalAnswer: Equatable, Sendable {
    /// Draw anew.
    case redraw
    /// Nothing to be seen changed.
    case unchanged
    /// End the loop.
    case end
}

/// A full-screen program: inputs in, buffers out.
///
/// It reads no clock and does no input or output at the terminal; ``TerminalLoop`` calls it, on one thread.
public protocol TerminalProgram {
    /// Draws what is to be seen now, in the size of the view; a smaller buffer leaves the rest of the screen blank.
    ///
    /// Called as seldom as possible; the loop sends only the cells that changed.
    mutating func draw(in view: TerminalView) -> CellBuffer

    /// Obeys an input. ^C, ^Z and ^L, and changes of the focus, never come here: the loop obeys them.
    mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer

    /// Looks at the world again: called once a second, after each ``TerminalWaker/wake()`` (at most ten times a second,
    /// once when unattended), and when the moment of ``nextChange(in:)`` has come.
    mutating func refresh(in view: TerminalView) -> TerminalAnswer

    /// The moment, as ``TerminalView/elapsed``, at which what is to be seen changes by itself; nil if it does not.
    ///
    /// Asked after each drawing; a second is watched anyway.
    func nextChange(in view: TerminalView) -> Duration?
}

extension TerminalProgram {
    /// Draws anew each time.
    public mutating func refresh(in view: TerminalView) -> TerminalAnswer { .redraw }

    /// Nothing changes by itself.
    public func nextChange(in view: TerminalView) -> Duration? { nil }
}

/// Why a ``TerminalLoop`` ended.
public enum LoopEnd: Equatable, Sendable {
    /// Somebody pressed the key for it: the program answered an input with ``TerminalAnswer/end``.
    case quit
    /// A signal or ^C asked for it.
    case terminated(TerminationSignal)
    /// The terminal went away.
    case inputClosed
    /// The program itself wanted it.
    case stopped

    /// The exit status for the process: 0, or 128 and the number of the signal; 129 for a lost terminal.
    ///
    /// A program that stopped the loop itself knows better why.
    public var exitStatus: Int32 {
        switch self {
        case .quit, .stopped: 0
        case .terminated(let signal): signal.exitStatus
        case .inputClosed: TerminationSignal.hangup.exitStatus
        }
    }
}
