import SyncCore

/// Does what transfers want done with files, on a thread of its own: a large file waits for nobody else's disk work.
struct FileThread: Sendable {
    private struct Job: Sendable {
        var peer: PeerKey
        var output: FileExchange.Output
    }

    private let thread: StorageThread<Job>

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - storage: Where the files exchanged with a peer lie, nil where there is no place for files; on the thread.
    ///   - report: Tells what became of an output; on the thread.
    init(
        storage: @escaping @Sendable (PeerKey) -> (any FileStorage)?,
        report: @escaping @Sendable (PeerKey, FileExchange.Input) -> Void
    ) {
        thread = StorageThread { job in
            let answer = storage(job.peer).map { $0.carryOut(job.output) } ?? job.output.homeless
            if let answer { report(job.peer, answer) }
        } report: { _, _ in
            // Nothing throws here: what goes wrong with a file is an answer.
        }
    }

    /// Queues an output about files.
    func submit(_ output: FileExchange.Output, with peer: PeerKey) {
        thread.submit(Job(peer: peer, output: output))
    }

    /// Ends the thread after what was submitted.
    func close() {
        thread.close()
    }
}

extension FileExchange.Output {
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
