/// What a terminal session waited for.
public enum TerminalEvent: Equatable, Sendable {
    /// Somebody did something at the keyboard or with the mouse.
    case input(TerminalInput)
    /// The terminal has another size now.
    case resized(Size)
    /// The process was stopped and goes on; the screen is empty again.
    case resumed
    /// Somebody called ``TerminalWaker/wake()``, once or more often.
    case woken
    /// The program should end.
    case terminationRequested(TerminationSignal)
    /// Nothing can be read from the terminal any more: it is gone.
    case inputClosed
    /// The time was up.
    case timedOut
}

/// A signal that asks a program to end; ^C counts as an interrupt.
public enum TerminationSignal: CaseIterable, Sendable {
    /// SIGHUP: the terminal went away.
    case hangup
    /// SIGINT: somebody pressed ^C.
    case interrupt
    /// SIGTERM.
    case terminate

    /// The exit status that tells a shell of the signal: 128 and its number.
    public var exitStatus: Int32 {
        switch self {
        case .hangup: 129
        case .interrupt: 130
        case .terminate: 143
        }
    }
}
