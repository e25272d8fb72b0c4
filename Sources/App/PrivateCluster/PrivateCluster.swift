package import Commands
import Foundation
import Platform
import Postgres

/// A PostgreSQL server that belongs to one program: its folder, a socket in it, and no port.
///
/// PostgreSQL refuses to run as root, so then it runs as the user `postgres`.
package final class PrivateCluster: Sendable {
    /// How a cluster is run.
    package struct Options: Sendable {
        /// Settings of the server beyond its own, such as `fsync=off` in tests.
        package var settings: [String] = []
        /// How long the server may take to answer, from its start; after a crash it repeats what its log holds.
        package var patience = Duration.seconds(1200)

        package init() {}
    }

    /// The folder, which only the server's user and root may enter.
    package let folder: String
    private let installation: Installation
    private let environment: Environment
    private let options: Options
    private var data: String { "\(folder)/data" }

    /// The longest path of a socket is 107 bytes, and its name has 17.
    private static let folderByteCountMax = 88

    /// Prepares a cluster; nothing is started.
    ///
    /// - Throws: ``CommandFailure`` if the server is missing or too old, or the folder cannot be used.
    package init(folder: String, environment: Environment, options: Options = Options()) async throws {
        installation = try await Installation(environment: environment)
        self.folder = folder
        self.environment = environment.filter { !$0.key.hasPrefix("PG") }
        self.options = options
        guard folder.hasPrefix("/"), folder.utf8.count <= Self.folderByteCountMax else {
            throw CommandFailure(
                "the folder of the database is \(folder): choose an absolute path of at most \(Self.folderByteCountMax) bytes"
            )
        }
    }

    /// How to connect to it.
    package var connectionString: String { Self.connectionString(folder: folder) }

    /// How to connect to the cluster of a folder, running or not.
    package static func connectionString(folder: String) -> String {
        "host='\(folder.replacing("'", with: "\\'"))' user=postgres dbname=postgres"
    }

    /// The process of the server; nil if it does not run.
    package var processIdentifier: Int32? {
        let text = try? String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
        return text?.split(separator: "\n").first.flatMap { Int32($0) }
    }

    /// Runs the server until the task is cancelled, and starts it again if it ends before, also while it starts.
    ///
    /// - Parameters:
    ///   - onTrouble: Told in a sentence when the server ended, and when it takes long to answer.
    ///   - onReady: Called once, when it answers for the first time.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    package func run(
        onTrouble: @escaping @Sendable (String) -> Void, onReady: @escaping @Sendable () -> Void
    ) async throws {
        try await prepare()
        let clock = ContinuousClock()
        var isFirst = true
        var deadline = clock.now + options.patience
        while true {
            let child = try await launch()
            do {
                guard try await answers(child, until: deadline, onTrouble) else {
                    try await Task.sleep(for: .milliseconds(100))
                    continue
                }
            } catch {
                await stop(child)
                guard !Task.isCancelled else { return }
                throw error
            }
            if isFirst { onReady() }
            isFirst = false
            let end = await withTaskCancellationHandler {
                await child.ended()
            } onCancel: {
                child.signal(SIGINT)
            }
            guard !Task.isCancelled else {
                // It was asked to end; what it still does is bounded by the kill.
                await stop(child)
                return
            }
            deadline = clock.now + options.patience
            onTrouble("the database \(end); it is started again")
        }
    }

    /// Makes the files of the cluster if there are none.
    private func prepare() async throws {
        try makeFolder()
        guard !FileManager.default.fileExists(atPath: "\(data)/PG_VERSION") else { return }
        // What was interrupted is made anew; it has its version long before it is complete, and its name only then.
        let new = "\(data).new"
        for path in [data, new] { try? FileManager.default.removeItem(atPath: path) }
        let (program, arguments) = asServerUser(
            "initdb", endsWithParent: false,
            [
                "--pgdata", new, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale",
                "C.UTF-8",
                "--no-instructions",
            ])
        _ = try await output(of: program, arguments, environment: environment)
        do {
            try FileManager.default.moveItem(atPath: new, toPath: data)
        } catch {
            throw CommandFailure("cannot make \(data) for the database: \(SystemErrorText.of(error))")
        }
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard isRoot else { return }
            try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: folder)
        } catch {
            throw CommandFailure("cannot make \(folder) for the database: \(SystemErrorText.of(error))")
        }
        // The user postgres must get there.
        var parent = URL(filePath: folder).deletingLastPathComponent()
        while parent.path != "/" {
            let mode = try? FileManager.default.attributesOfItem(atPath: parent.path)[.posixPermissions] as? Int
            guard (mode ?? 0o711) & 0o001 != 0 else {
                throw CommandFailure(
                    "PostgreSQL does not run as root, and the user postgres cannot enter \(parent.path): choose another "
                        + "folder, or allow it with: chmod o+x \(parent.path)")
            }
            parent = parent.deletingLastPathComponent()
        }
    }

    private var isRoot: Bool { geteuid() == 0 }

    /// A program of the server, run as the user that may run it.
    ///
    /// If it ends with its parent, that is the thread that starts it.
    private func asServerUser(
        _ program: String, endsWithParent: Bool, _ arguments: [String]
    ) -> (String, [String]) {
        let path = "\(installation.programs)/\(program)"
        guard let setpriv = LocalTools.path(of: "setpriv", environment: environment) else { return (path, arguments) }
        let user = isRoot ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        return (setpriv, user + (endsWithParent ? ["--pdeathsig=INT"] : []) + [path] + arguments)
    }

    private func launch() async throws -> ChildProcess {
        let settings =
            [
                "listen_addresses=", "unix_socket_directories=\(folder)", "shared_buffers=16MB", "max_connections=50",
                "log_min_messages=warning", "logging_collector=off",
            ] + options.settings
        let (program, arguments) = asServerUser(
            "postgres", endsWithParent: true, ["-D", data] + settings.flatMap { ["-c", $0] })
        let environment = environment
        let log = unsafe open("\(folder)/log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw CommandFailure("cannot write \(folder)/log: \(SystemErrorText.of(number: errno))") }
        return try await withCheckedThrowingContinuation { continuation in
            // The signal at the parent's death comes at the end of the thread that started the child, so that waits for it.
            DedicatedThread.start {
                let ended = Semaphore()
                do {
                    let child = try ChildProcess(program, arguments, environment: environment, files: (nil, log, log))
                    close(log)
                    continuation.resume(returning: child)
                    Task {
                        _ = await child.ended()
                        ended.signal()
                    }
                    ended.wait()
                } catch {
                    close(log)
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Waits until the server answers; false if it ended and the next start may succeed.
    private func answers(
        _ child: ChildProcess, until deadline: ContinuousClock.Instant, _ onTrouble: @Sendable (String) -> Void
    ) async throws -> Bool {
        let string = connectionString
        let clock = ContinuousClock()
        let isLong = clock.now + .seconds(30)
        var isTold = false
        while true {
            if let end = child.end {
                let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
                if clock.now < deadline, mayStartAgain(after: end, log: log) { return false }
                throw CommandFailure(
                    "the database \(end): \(log.split(separator: "\n").suffix(3).joined(separator: " "))")
            }
            if try await runOnThread(stop: {}, { (try? Connection(string)) != nil }) { return true }
            guard clock.now < deadline else {
                throw CommandFailure("the database does not answer; see \(folder)/log")
            }
            if !isTold, clock.now > isLong {
                isTold = true
                onTrouble("the database has not answered for 30 s and is waited for; see \(folder)/log")
            }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    /// Whether the next start of a server that ended before it answered may succeed: someone killed it, what is left of an
    /// earlier one still holds its files and ends in a moment, or one was killed between making a lock file and writing it.
    private func mayStartAgain(after end: ChildProcess.End, log: String) -> Bool {
        if log.contains("lock file \""), log.contains("\" is empty") {
            for path in ["\(data)/postmaster.pid", "\(folder)/.s.PGSQL.5432.lock"]
            where (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) == 0 {
                try? FileManager.default.removeItem(atPath: path)
            }
            return true
        }
        if case .signalled = end { return true }
        return log.contains("pre-existing shared memory") || log.contains("Is another postmaster")
    }

    private func stop(_ child: ChildProcess) async {
        child.signal(SIGINT)
        let deadline = Task {
            try await Task.sleep(for: .seconds(10))
            child.signal(SIGQUIT)
        }
        _ = await child.ended()
        deadline.cancel()
    }
}
