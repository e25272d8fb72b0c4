/// Another pair serves the code of the process that uses `WCSession.default`.
public struct SingletonInUse: Error, CustomStringConvertible {
    /// The cause and the ways out.
    public var description: String {
        """
        another TestPair in this process was made with `singleton:` and still lives: put these tests into a suite with \
        `.serialized`, release the other pair first, or pass the sessions to your code instead
        """
    }
}
