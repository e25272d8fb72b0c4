import CTerminal

/// The terminal of this process, set up for full-screen drawing and restored at the end.
///
/// While a session is open, the terminal is in raw mode and shows its alternate screen without a cursor. However the
/// process ends, except by SIGKILL, the terminal is restored: at the end of the session, at exit, and when a fatal
/// signal comes. Output to standard error in the meantime is shown afterwards. After a SIGKILL, type `reset`.
///
/// Input that still comes when the terminal is restored, such as the rest of a pasted text, is dropped until the
/// terminal is quiet, for at most two seconds: it was not meant for the shell.
///
/// A process has one session at a time. It belongs to one thread, which waits in ``nextEvent(timeoutMilliseconds:)``; a
/// ``TerminalWaker`` wakes it from any other. A second signal to end, while the program still handles the first, ends
/// the process at once.
public struct TerminalSession: ~Copyable {
    private let output: Int32
    private var parser = KeyParser()
    /// The events of one read that were not returned yet; at most as many as one read has bytes.
    private var pending: [TerminalEvent] = []
    /// When something was read last.
    private var lastInput = ContinuousClock.now

    /// The time after which a lone escape character is the Escape key, in milliseconds.
    private static let escapeMilliseconds: Int32 = 30
    /// The time after which a pasted text without further input has ended, in milliseconds.
    private static let pasteMilliseconds: Int32 = 1000

    /// Selects the alternate screen, no cursor, no wrapping, reports of the focus, and marks around pasted texts.
    private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1004h\u{1B}[?2004h"
    /// Requests presses and the wheel, without moves, in the form without a size limit.
    package static let mouseSequence = "\u{1B}[?1000h\u{1B}[?1006h"
    private static let leaveSequence =
        "\u{1B}[?2026l\u{1B}[0m\u{1B}[?1000l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Whether both descriptors are terminals.
    public static func isAvailable(input: Int32 = 0, output: Int32 = 1) -> Bool {
        cterminal_is_terminal(input) != 0 && cterminal_is_terminal(output) != 0
    }

    /// Sets up the terminal.
    ///
    /// - Parameters:
    ///   - input: The descriptor to read from.
    ///   - output: The descriptor to draw to.
    ///   - usesMouse: Whether clicks and the wheel are reported; otherwise the terminal handles them.
    /// - Throws: ``TerminalError/notATerminal``, ``TerminalError/alreadyOpen`` or
    ///   ``TerminalError/system(call:number:)``; the terminal is unchanged in that case.
    public init(input: Int32 = 0, output: Int32 = 1, usesMouse: Bool = true) throws(TerminalError) {
        guard Self.isAvailable(input: input, output: output) else { throw .notATerminal }
        let enter = Self.enterSequence + (usesMouse ? Self.mouseSequence : "")
        // The strings are copied before the call returns.
        let error = unsafe cterminal_open(input, output, enter, Self.leaveSequence)
        if error == CTERMINAL_BUSY { throw .alreadyOpen }
        guard error == 0 else { throw .system(call: "raw mode", number: error) }
        self.output = output
    }

    deinit {
        cterminal_close()
    }

    /// Restores the terminal.
    public consuming func close() {
        // The deinitializer does it.
    }

    /// The present size of the terminal; 80 × 24 if it does not report one.
    public var size: Size {
        var (columns, rows): (Int32, Int32) = (80, 24)
        // Both stay unchanged when the call fails.
        _ = unsafe cterminal_size(output, &columns, &rows)
        return Size(columns: Int(columns), rows: Int(rows))
    }

    /// Writes bytes to the terminal, and waits until it has accepted them all.
    public func write(_ bytes: [UInt8]) throws(TerminalError) {
        guard !bytes.isEmpty else { return }
        // The pointer is valid during the call, for the given number of bytes.
        let error = unsafe bytes.withUnsafeBytes { unsafe cterminal_draw($0.baseAddress, $0.count) }
        guard error == 0 else { throw .system(call: "write", number: error) }
    }

    /// Whether events have been read that ``nextEvent(timeoutMilliseconds:)`` has not returned yet.
    public var hasPendingEvents: Bool { !pending.isEmpty }

    /// Waits for the next event; a request to end comes before all typed input.
    ///
    /// It waits at most `timeoutMilliseconds`, indefinitely if that is nil, not at all if it is 0. ^Z and SIGTSTP stop
    /// the process inside this call; it continues with ``TerminalEvent/resumed``. It throws only if the terminal fails.
    public mutating func nextEvent(timeoutMilliseconds: Int32? = nil) throws(TerminalError) -> TerminalEvent {
        cterminal_trim_errors()
        let deadline = timeoutMilliseconds.map { ContinuousClock.now + .milliseconds(max(0, $0)) }
        // A signal may have come while earlier input was being handled.
        if !pending.isEmpty, has(CTERMINAL_HAS_NOTICES, in: cterminal_wait(0)) { try readNotices() }
        while pending.isEmpty {
            let limit = [deadline, silenceLimit].compactMap(\.self).min()
            let ready = cterminal_wait(limit.map { milliseconds(until: $0) } ?? -1)
            if ready < 0 { throw .system(call: "poll", number: -ready) }
            if ready == 0 {
                if let silenceLimit, ContinuousClock.now >= silenceLimit {
                    if let input = parser.flush() { return try event(for: input) }
                } else if let deadline, ContinuousClock.now >= deadline {
                    return .timedOut
                }
            }
            // Signals first: when the terminal is closed, the signal says more than the end of the input.
            if has(CTERMINAL_HAS_NOTICES, in: ready) { try readNotices() }
            if pending.isEmpty { try readInput(ready) }
        }
        return pending.removeFirst()
    }

    // MARK: Waiting

    /// When an incomplete sequence counts as ended; nil outside of one.
    private var silenceLimit: ContinuousClock.Instant? {
        guard parser.isInsideSequence else { return nil }
        return lastInput + .milliseconds(parser.isInsidePaste ? Self.pasteMilliseconds : Self.escapeMilliseconds)
    }

    private func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let left = ContinuousClock.now.duration(to: deadline)
        let (seconds, attoseconds) = left.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        // Rounded up, so that the wait does not end before the deadline and begin again.
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: milliseconds)
    }

    private func has(_ bit: cterminal_ready, in ready: Int32) -> Bool {
        UInt32(bitPattern: ready) & UInt32(bit.rawValue) != 0
    }

    /// The bytes that a function of C reads into a buffer of 256.
    private func bytes(_ read: (UnsafeMutablePointer<UInt8>?, Int) -> Int) -> [UInt8] {
        // The function writes at most as many bytes as the buffer has, and returns how many these are.
        unsafe [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            count = unsafe read(buffer.baseAddress, buffer.count)
        }
    }

    private mutating func readNotices() throws(TerminalError) {
        var endings: [TerminalEvent] = []
        defer { pending.insert(contentsOf: endings, at: 0) }
        var hasSize = false
        var wasWoken = false
        for byte in unsafe bytes(cterminal_read_notices) {
            switch cterminal_notice(rawValue: cterminal_notice.RawValue(byte)) {
            case CTERMINAL_WOKEN: wasWoken = true
            case CTERMINAL_RESIZED: hasSize = true
            case CTERMINAL_CONTINUED:
                pending.append(try resume())
            case CTERMINAL_STOP_REQUESTED:
                pending.append(try suspend(wholeGroup: false))
            case CTERMINAL_INTERRUPTED: endings.append(.terminationRequested(.interrupt))
            case CTERMINAL_TERMINATED: endings.append(.terminationRequested(.terminate))
            case CTERMINAL_HUNG_UP: endings.append(.terminationRequested(.hangup))
            default: break
            }
        }
        if hasSize { pending.append(.resized(size)) }
        if wasWoken { pending.append(.woken) }
    }

    private mutating func readInput(_ ready: Int32) throws(TerminalError) {
        let bytes = has(CTERMINAL_HAS_INPUT, in: ready) ? unsafe bytes(cterminal_read_input) : []
        if bytes.isEmpty, has(CTERMINAL_INPUT_CLOSED, in: ready) { pending.append(.inputClosed) }
        if !bytes.isEmpty { lastInput = .now }
        for input in parser.feed(bytes) { pending.append(try event(for: input)) }
    }

    private func event(for input: TerminalInput) throws(TerminalError) -> TerminalEvent {
        switch input {
        case .key(.control("c")): return .terminationRequested(.interrupt)
        case .key(.control("z")):
            return try suspend(wholeGroup: true)
        case .key, .paste, .mouse, .focus: return .input(input)
        }
    }

    // MARK: Suspending

    private func suspend(wholeGroup: Bool) throws(TerminalError) -> TerminalEvent {
        cterminal_suspend(wholeGroup ? 1 : 0)
        return try resume()
    }

    /// Sets the terminal up again after the process was continued.
    ///
    /// A terminal that is closed has the kernel send SIGCONT along with SIGHUP: then it refuses, and that is the end.
    private func resume() throws(TerminalError) -> TerminalEvent {
        let error = cterminal_resume()
        if error == CTERMINAL_CLOSED { return .inputClosed }
        guard error == 0 else { throw .system(call: "raw mode", number: error) }
        return .resumed
    }
}

/// Wakes the thread that waits in the ``TerminalSession`` of this process.
public struct TerminalWaker: Sendable {
    /// Creates a waker; it wakes every session, whether opened before or after.
    public init() {}

    /// Makes the session's next or present wait return ``TerminalEvent/woken``.
    ///
    /// Any thread may call it at any time. Several calls before the session checks are one event; without a session
    /// nothing happens.
    public func wake() {
        cterminal_notify(CChar(CTERMINAL_WOKEN.rawValue))
    }
}
