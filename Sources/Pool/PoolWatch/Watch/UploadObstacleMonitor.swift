internal import SyncTransport

/// Keeps the shown reason why edits wait up to date.
struct UploadObstacleMonitor: Sendable {
    /// The interval at which the transport is asked why edits wait, while any does.
    private static let interval = Duration.seconds(1)

    let transport: WatchTransport
    let reducer: WatchReducer

    /// Runs until the task is cancelled, or the transport has ended.
    func run() async {
        while !Task.isCancelled {
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: Self.interval)
            guard !reducer.memory.edits.pending.isEmpty else { continue }
            // A transport that has ended has no obstacle any more.
            guard let view = try? await transport.view() else { return }
            reducer.handle(.uploadsWait(view.uploadObstacle))
        }
    }
}
