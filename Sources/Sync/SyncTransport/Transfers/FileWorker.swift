import SyncCore

/// Does what transfers want done with files, on a thread of its own: a large file waits for nobody else's disk work.
struct FileWorker: Sendable {
    /// What became of an output, and with whose files.
    typealias Answer = (peer: PeerKey, input: FileExchange.Input)

    /// An output, and with whose files.
    struct Job: Sendable {
        var peer: PeerKey
        var output: FileExchange.Output
    }

    /// The jobs whose answers are told together at most: a pull asks for four chunks, and one word for all of them wakes
    /// the link's thread once.
    private static let togetherCountMax = 8

    private let thread: StorageThread<Job>

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - storage: Where the files exchanged with a peer lie, nil where there is no place for files; on the thread.
    ///   - report: Tells what became of some outputs, in their order; on the thread.
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
                // Nothing throws here: what goes wrong with a file is an answer.
                let answer = storage(job.peer).map { $0.carryOut(job.output) } ?? job.output.homeless
                if let answer { answers.append((job.peer, answer)) }
            }
            if !answers.isEmpty { report(answers) }
        }
    }

    /// Queues jobs.
    func submit(_ jobs: [Job]) {
        thread.submit(jobs)
    }

    /// Waits until what was submitted is done and told.
    func drain() {
        thread.drain()
    }

    /// Ends the thread after what was submitted, and waits for that: no file is touched afterwards.
    func end() {
        thread.end()
    }
}

extension FileExchange.Output {
    /// Whether it may take so long that answers which are there already must not wait for it.
    fileprivate var isLong: Bool {
        switch self {
        case .read, .write: false
        case .begin, .sync, .finish, .discard, .release, .remove, .send, .persist, .answer, .event: true
        }
    }

    /// The answer of an end that has no place for files.
    fileprivate var homeless: FileExchange.Input? {
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
