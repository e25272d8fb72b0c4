public import PoolModel

/// Shows a watch's face in a terminal session until somebody ends it.
///
/// A frame is drawn when the glance, the size or the theme changed, at most ten times a second; the glance is asked
/// for once a second at least, because ages change by themselves. Keys: `q` ends, `t` changes between light and
/// dark, `d` dims, `r` calls back to try the link again, ^L draws everything anew.
public struct FaceLoop {
    /// Why the loop ended.
    public enum End: Equatable, Sendable {
        /// Somebody pressed `q`.
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

    private struct Shown: Equatable {
        var glance: Glance
        var theme: Theme
        var size: Size
    }

    private static let frameInterval = Duration.milliseconds(100)
    private static let glanceMilliseconds: Int32 = 1000

    private var screen: WatchScreen
    private var renderer: Renderer
    private var shown: Shown?
    private let glance: () -> Glance?
    private let retry: () -> Void

    /// Creates a loop.
    /// - Parameters:
    ///   - theme: The theme to begin with.
    ///   - capabilities: What the terminal can show.
    ///   - retry: Called on `r`, on the thread of the loop.
    ///   - glance: The present glance, nil to end the loop; called on the thread of the loop, and should be quick.
    public init(
        theme: Theme = Theme(), capabilities: Capabilities, retry: @escaping () -> Void,
        glance: @escaping () -> Glance?
    ) {
        screen = WatchScreen(theme: theme, capabilities: capabilities)
        renderer = Renderer(depth: capabilities.depth)
        self.glance = glance
        self.retry = retry
    }

    /// Draws and waits, until the end.
    ///
    /// Call ``TerminalWaker/wake()`` when there is a new glance to show.
    public mutating func run(in session: inout TerminalSession) throws(TerminalError) -> End {
        var lastFrame: ContinuousClock.Instant?
        while true {
            var timeout = Self.glanceMilliseconds
            let now = ContinuousClock.now
            let rest = lastFrame.map { Self.frameInterval - $0.duration(to: now) } ?? .zero
            if rest > .zero {
                timeout = Int32(rest / .milliseconds(1)) + 1
            } else {
                guard let bytes = frame(size: session.size) else { return .stopped }
                if !bytes.isEmpty { lastFrame = now }
                // A terminal that takes no bytes any more has gone away.
                guard (try? session.write(bytes)) != nil else { return .inputClosed }
            }
            if let end = handle(try session.nextEvent(timeoutMilliseconds: timeout)) { return end }
        }
    }

    /// The bytes that bring the terminal up to date, none if it is; nil if there is nothing to show any more.
    mutating func frame(size: Size) -> [UInt8]? {
        guard let glance = glance() else { return nil }
        let next = Shown(glance: glance, theme: screen.theme, size: size)
        guard next != shown else { return [] }
        shown = next
        return renderer.frame(screen.draw(next.glance, size: size))
    }

    /// Obeys an event; returns the end that it means.
    mutating func handle(_ event: TerminalEvent) -> End? {
        switch event {
        case .key(.character("q")):
            return .quit
        case .terminationRequested(let signal):
            return .terminated(signal)
        case .inputClosed:
            return .inputClosed
        case .key(.character("t")):
            let appearance: Theme.Appearance = screen.theme.appearance == .dark ? .light : .dark
            screen.theme = Theme(appearance, isDim: screen.theme.isDim)
        case .key(.character("d")):
            screen.theme = Theme(screen.theme.appearance, isDim: !screen.theme.isDim)
        case .key(.character("r")):
            retry()
        case .key(.control("l")), .resumed, .resized:
            // A terminal that shrank and grew again lost what it showed, although the size is the same.
            renderer.invalidate()
            shown = nil
        case .key, .woken, .timedOut:
            break
        }
        return nil
    }
}
