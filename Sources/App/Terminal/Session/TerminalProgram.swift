/// The facts about the terminal that a ``TerminalLoop`` passes to a program.
public struct TerminalView: Hashable, Sendable {
    /// The size of the terminal.
    public var size: Size
    /// Whether probably no person is looking: no key and no click for two minutes.
    ///
    /// The program then draws dimmed, and leaves out text that changes every second, such as seconds of ages.
    public var isUnattended: Bool

    /// Creates a view.
    public init(size: Size, isUnattended: Bool = false) {
        self.size = size
        self.isUnattended = isUnattended
    }
}

/// The result of a program's function.
public enum TerminalAnswer: Equatable, Sendable {
    /// Draw again.
    case redraw
    /// Put a text into the clipboard of the terminal, and draw again.
    case copy(String)
    /// Show a text alone until the next key: without a frame and without mouse reports, so that the terminal's own mouse
    /// selects it as one line.
    case reveal(String)
    /// Nothing visible changed.
    case unchanged
    /// End the loop.
    case end
}

/// A full-screen program: inputs in, buffers out.
///
/// It reads no clock and does no input or output at the terminal; ``TerminalLoop`` calls it, on one thread.
public protocol TerminalProgram {
    /// Draws the present content, in the size of the view; a smaller buffer leaves the rest of the screen blank.
    ///
    /// Called as seldom as possible; the loop sends only the cells that changed.
    mutating func draw(in view: TerminalView) -> CellBuffer

    /// Handles an input. ^C, ^Z and ^L, and changes of the focus, never come here: the loop handles them.
    mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer

    /// Gets the present data: called once a second, and after each ``TerminalWaker/wake()`` (at most ten times a second,
    /// once when unattended).
    mutating func refresh(in view: TerminalView) -> TerminalAnswer
}

extension TerminalProgram {
    /// Returns that the program must be drawn again each time.
    public mutating func refresh(in view: TerminalView) -> TerminalAnswer { .redraw }
}

/// Why a ``TerminalLoop`` ended.
public enum LoopEnd: Equatable, Sendable {
    /// The person pressed the key for it: the program answered an input with ``TerminalAnswer/end``.
    case quit
    /// A signal or ^C ended it.
    case terminated(TerminationSignal)
    /// The terminal was closed.
    case inputClosed
    /// The program itself ended it.
    case stopped

    /// The exit status for the process: 0, or 128 plus the number of the signal; 129 for a lost terminal.
    ///
    /// A program that ended the loop itself may have a more exact status.
    public var exitStatus: Int32 {
        switch self {
        case .quit, .stopped: 0
        case .terminated(let signal): signal.exitStatus
        case .inputClosed: TerminationSignal.hangup.exitStatus
        }
    }
}
