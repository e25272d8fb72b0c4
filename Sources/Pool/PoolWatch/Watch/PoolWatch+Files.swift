internal import Logging
internal import SyncCore
internal import SyncTransport

extension PoolWatch {
    /// Moves received files to the store: a transfer is consumed when its file is durable there, so that repeated
    /// events add it only once.
    ///
    /// A file that cannot be stored, for example because the disk is full, is tried again after each pause, and does
    /// not delay the others.
    func takeFiles(with driver: WatchTransport) async {
        await withDiscardingTaskGroup { group in
            for await offer in offers {
                guard let reason = takeFile(offer, driver) else { continue }
                noteFailure(reason)
                group.addTask { [self] in await takeFileLater(offer, driver, reason) }
            }
        }
    }

    private func takeFileLater(_ offer: FileOffer, _ driver: WatchTransport, _ firstReason: String) async {
        var lastReason = firstReason
        while true {
            do {
                try await pauseOfFiles()
            } catch {
                // The watch stops: the file is announced again at the next start.
                return
            }
            guard let reason = takeFile(offer, driver) else { return }
            // The same message every half minute would fill the log.
            if reason != lastReason { noteFailure(reason) }
            lastReason = reason
        }
    }

    /// Stores a file; returns why that is to be tried again, nil if nothing is left to do.
    private func takeFile(_ offer: FileOffer, _ driver: WatchTransport) -> String? {
        do {
            if try files.take(offer, at: hubTime) != nil { receiver.changed() }
            driver.tell(.files(.consumed(offer.id)))
            return nil
        } catch is WatchFiles.GivenBack {
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
