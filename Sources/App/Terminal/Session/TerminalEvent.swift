/// An event of a terminal session.
public enum TerminalEvent: Equatable, Sendable {
    /// The person used the keyboard or the mouse.
    case input(TerminalInput)
    /// The terminal has another size now.
    case resized(Size)
    /// The process was stopped and continues; the screen is empty again.
    case resumed
    /// ``TerminalWaker/wake()`` was called, once or more often.
    case woken
    /// The program should end.
    case terminationRequested(TerminationSignal)
    /// Nothing can be read from the terminal any more: it was closed.
    case inputClosed
    /// The timeout has passed.
    case timedOut
}

/// A signal that asks a program to end; ^C counts as an interrupt.
public enum TerminationSignal: CaseIterable, Sendable {
    /// SIGHUP: the terminal was closed.
    case hangup
    /// SIGINT: ^C was pressed.
    case interrupt
    /// SIGTERM.
    case terminate

    /// The exit status that reports the signal to a shell: 128 plus its number.
    public var exitStatus: Int32 {
        switch self {
        case .hangup: 129
        case .interrupt: 130
        case .terminate: 143
        }
    }
}
