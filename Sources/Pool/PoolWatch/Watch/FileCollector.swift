internal import Logging
internal import SyncCore
internal import SyncTransport

/// Moves received files to the store of a watch.
///
/// A transfer is consumed when its file is durable there, so that repeated events add it only once. A file that cannot
/// be stored, for example because the disk is full, is tried again after each pause, and does not delay the others.
struct FileCollector: Sendable {
    let transport: WatchTransport
    let reducer: WatchReducer
    let files: WatchFiles
    let observer: WatchObserver
    let logger: Logger
    /// Waits before a file that just failed is tried again.
    let pause: @Sendable () async throws -> Void

    /// Runs until the task is cancelled; may be called once.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await offer in reducer.offers {
                guard let reason = take(offer) else { continue }
                noteFailure(reason)
                group.addTask { await takeLater(offer, reason) }
            }
        }
    }

    private func takeLater(_ offer: FileOffer, _ firstReason: String) async {
        var lastReason = firstReason
        while true {
            do {
                try await pause()
            } catch {
                // The watch stops: the file is announced again at the next start.
                return
            }
            guard let reason = take(offer) else { return }
            // The same message every half minute would fill the log.
            if reason != lastReason { noteFailure(reason) }
            lastReason = reason
        }
    }

    /// Stores a file; returns why that is to be tried again, nil if nothing is left to do.
    private func take(_ offer: FileOffer) -> String? {
        do {
            if try files.take(offer, at: observer.hubTime) != nil { reducer.handle(.stored) }
            transport.tell(.files(.consumed(offer.id)))
            return nil
        } catch is WatchFiles.Closed {
            // The file is announced again at the next start.
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func noteFailure(_ reason: String) {
        logger.info("a file could not be taken in", metadata: ["files.reason": "\(reason)"])
    }
}
