internal import Logging
internal import SyncCore
internal import SyncTransport

extension PoolWatch {
    /// Takes in files: one is consumed when it is durable on the shelf, so it is there once whatever is told twice.
    ///
    /// One that cannot be taken in, as on a full disk, is tried again after each pause, and does not hold up the others.
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
                // The watch ends: it comes again in the next life.
                return
            }
            guard let reason = takeFile(offer, driver) else { return }
            // The same words every half minute would fill the log.
            if reason != lastReason { noteFailure(reason) }
            lastReason = reason
        }
    }

    /// Takes a file in; returns why that is to be tried again, nil for nothing more to do.
    private func takeFile(_ offer: FileOffer, _ driver: WatchTransport) -> String? {
        do {
            if try files.take(offer, at: hubTime) != nil { receiver.changed() }
            driver.tell(.files(.consumed(offer.id)))
            return nil
        } catch is WatchFiles.GivenBack {
            // It comes again in the next life.
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func noteFailure(_ reason: String) {
        logger.info("a file could not be taken in", metadata: ["files.reason": "\(reason)"])
    }
}
