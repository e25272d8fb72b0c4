import Foundation
import WatchConnectivity

// Unchecked, as clients do: what changes is behind the lock.
/// The files on their way, with the progress of each as a face shows it.
final class Uploads: NSObject, WCSessionDelegate, @unchecked Sendable {
    private(set) var fractions: [String: [Double]] = [:]
    private(set) var ended: [String: Bool] = [:]
    private var observations: [ObjectIdentifier: NSKeyValueObservation] = [:]
    private let lock = NSLock()

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        // What an earlier process has queued is on its way, too.
        for transfer in session.outstandingFileTransfers { watch(transfer) }
    }

    func upload(_ file: URL, title: String, by session: WCSession = .default) {
        var metadata: [String: Any] = ["title": title]
        if let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] { metadata["size"] = size }
        watch(session.transferFile(file, metadata: metadata))
    }

    func cancelAll(of session: WCSession = .default) {
        for transfer in session.outstandingFileTransfers where transfer.isTransferring { transfer.cancel() }
    }

    private func watch(_ transfer: WCSessionFileTransfer) {
        let name = transfer.file.fileURL.lastPathComponent
        let observation = transfer.progress.observe(\.fractionCompleted, options: [.initial, .new]) {
            [weak self] progress, _ in
            guard let self else { return }
            lock.withLock { self.fractions[name, default: []].append(progress.fractionCompleted) }
        }
        lock.withLock { observations[ObjectIdentifier(transfer)] = observation }
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        let name = fileTransfer.file.fileURL.lastPathComponent
        lock.withLock {
            ended[name] = error == nil
            observations.removeValue(forKey: ObjectIdentifier(fileTransfer))?.invalidate()
        }
    }
}
