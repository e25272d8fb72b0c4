public import PoolModel

/// Shows a watch's face in a terminal session until the person ends it.
///
/// A ``TerminalLoop`` around a ``FaceProgram``.
public struct FaceLoop {
    /// Why the loop ended.
    public typealias End = LoopEnd

    private var loop: TerminalLoop<FaceProgram>

    /// Creates a loop.
    /// - Parameters:
    ///   - theme: The theme at the beginning.
    ///   - capabilities: What the terminal can show.
    ///   - retry: Called on `r`, on the thread of the loop.
    ///   - glance: Returns the present glance, nil to end the loop; called on the thread of the loop, so it should be
    ///     quick.
    public init(
        theme: Theme = Theme(), capabilities: Capabilities, retry: @escaping () -> Void,
        glance: @escaping () -> Glance?
    ) {
        let screen = WatchScreen(theme: theme, capabilities: capabilities)
        loop = TerminalLoop(
            FaceProgram(screen, retry: retry, glance: glance), depth: capabilities.depth,
            erasesWithColor: capabilities.erasesWithColor)
    }

    /// Draws and waits, until the end.
    ///
    /// Call ``TerminalWaker/wake()`` when there is a new glance to show.
    public mutating func run(in session: inout TerminalSession) throws(TerminalError) -> End {
        try loop.run(in: &session)
    }
}
