import SyncCore

/// Carries out the outputs about files on a separate thread, so that other disk work does not wait for a large
/// file.
struct FileWorker: Sendable {
    /// The result of an output, and the peer whose files it concerns.
    typealias Answer = (peer: PeerKey, input: FileExchange.Input)

    /// An output, and the peer whose files it concerns.
    struct Job: Sendable {
        var peer: PeerKey
        var output: FileExchange.Output
    }

    /// The most jobs whose results are reported together: a pull asks for four chunks, and one report for all of them
    /// wakes the link's thread only once.
    private static let togetherCountMax = 8

    private let thread: StorageThread<Job>

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - storage: Returns the storage of the files exchanged with a peer, nil if files are not supported; called on
    ///     the thread.
    ///   - report: Reports the results of some outputs, in order; called on the thread.
    init(
        storage: @escaping @Sendable (PeerKey) -> (any FileStorage)?,
        report: @escaping @Sendable ([Answer]) -> Void
    ) {
        thread = StorageThread(atOnce: Self.togetherCountMax) { jobs in
            var answers: [Answer] = []
            for job in jobs {
                if job.output.isLong, !answers.isEmpty {
                    report(answers)
                    answers = []
                }
                // Nothing throws here: an error of a file is a result.
                let answer = storage(job.peer).map { $0.carryOut(job.output) } ?? job.output.answerWithoutStore
                if let answer { answers.append((job.peer, answer)) }
            }
            if !answers.isEmpty { report(answers) }
        }
    }

    /// Queues jobs.
    func submit(_ jobs: [Job]) {
        thread.submit(jobs)
    }

    /// Waits until the submitted jobs are done and reported.
    func drain() {
        thread.drain()
    }

    /// Ends the thread after the submitted jobs, and waits for that: no file is touched afterwards.
    func end() {
        thread.end()
    }
}

extension FileExchange.Output {
    /// Whether the job may take so long that results before it should be reported first.
    fileprivate var isLong: Bool {
        switch self {
        case .read, .write: false
        case .begin, .sync, .finish, .discard, .release, .remove, .send, .persist, .answer, .event: true
        }
    }

    /// The result at an end that does not support files.
    fileprivate var answerWithoutStore: FileExchange.Input? {
        let failure = FileFailure(.failed, "this device takes no files")
        switch self {
        case .read(let id, _, _, _): return .readFailed(id, failure)
        case .begin(let offer, _), .finish(let offer): return .storeFailed(offer.id, failure)
        case .write(let id, _, _), .sync(let id): return .storeFailed(id, failure)
        case .discard(let id): return .discarded(id)
        case .release, .remove, .send, .persist, .answer, .event: return nil
        }
    }
}
