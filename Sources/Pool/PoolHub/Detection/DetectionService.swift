import Logging
import PoolControl
import PoolModel

/// Listens to a broker for a while, and proposes devices; it changes nothing.
actor DetectionService {
    private struct Running {
        let listener: DetectionListener
        let task: Task<Void, Never>
    }

    private let logger: Logger
    private var running: Running?

    init(logger: Logger) {
        self.logger = logger
    }

    /// Carries out a command of a running hub.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - configuration: The current configuration.
    ///   - password: Returns the password of a server.
    /// - Returns: The progress.
    /// - Throws: The error in the command, in words.
    func perform(
        _ request: DetectionRequest, in configuration: PoolConfiguration, password: (ServerID) throws -> String?
    ) async throws -> DetectionProgress {
        switch request {
        case .begin(let server, let seconds):
            let listener = try Self.listener(server, seconds, in: configuration, password: password)
            await end()
            logger.info("detection begins", metadata: ["server": "\(listener.server.name)", "seconds": "\(seconds)"])
            // It ends when the time is over, or with the next command that ends it.
            let task = Task { await listener.run() }
            running = Running(listener: listener, task: task)
            return listener.progress(in: configuration)
        case .look:
            guard let listener = running?.listener else { throw Self.nothingRuns }
            return listener.progress(in: configuration)
        case .end:
            guard let listener = running?.listener else { throw Self.nothingRuns }
            await end()
            return listener.progress(in: configuration)
        }
    }

    /// The progress of the last detection; nil if there was none.
    func progress(in configuration: PoolConfiguration) -> DetectionProgress? {
        running?.listener.progress(in: configuration)
    }

    /// Ends the running detection, and waits for its end; the results stay.
    func end() async {
        guard let task = running?.task else { return }
        task.cancel()
        await task.value
    }

    /// Listens in this process until the time is over or the task is cancelled; used if no hub runs.
    ///
    /// - Throws: The error in the command, in words.
    static func listen(
        _ server: ServerID, seconds: Int, in configuration: PoolConfiguration, password: (ServerID) throws -> String?
    ) async throws -> DetectionProgress {
        let listener = try listener(server, seconds, in: configuration, password: password)
        await listener.run()
        return listener.progress(in: configuration)
    }

    private static let nothingRuns = RequestProblem(
        "no detection was begun: begin one with `poolsensors device detect`")

    private static func listener(
        _ id: ServerID, _ seconds: Int, in configuration: PoolConfiguration, password: (ServerID) throws -> String?
    ) throws -> DetectionListener {
        guard DetectionListener.secondsRange.contains(seconds) else {
            throw RequestProblem(
                "a detection takes \(DetectionListener.secondsRange.lowerBound) to "
                    + "\(DetectionListener.secondsRange.upperBound) seconds, not \(seconds)")
        }
        let server = try configuration.known(id)
        return DetectionListener(server, password: try password(server.id), duration: .seconds(seconds))
    }
}
