import Platform
import SyncCore
import SyncTransport

/// Brings what happens in the engine to those whom it concerns; on the link's thread, and returns at once.
final class EngineEvents: Sendable {
    private let words: CurrentEntryFormatter
    private let observer: HubStateObserver
    private let changed: AsyncStream<Void>.Continuation
    private let now: @Sendable () -> Moment
    private let onEvent: @Sendable (PoolHub.Event) -> Void
    private let limit = LogRateLimit()

    /// Creates the way of events.
    ///
    /// - Parameters:
    ///   - words: Learns the names of watches, and has the words for the configuration.
    ///   - observer: Measures, and wakes those who look.
    ///   - changed: Gets that the configuration, or who is paired, may have changed.
    ///   - now: The clocks.
    ///   - onEvent: Gets what a person sees.
    init(
        words: CurrentEntryFormatter, observer: HubStateObserver, changed: AsyncStream<Void>.Continuation,
        now: @escaping @Sendable () -> Moment = { .now }, onEvent: @escaping @Sendable (PoolHub.Event) -> Void
    ) {
        self.words = words
        self.observer = observer
        self.changed = changed
        self.now = now
        self.onEvent = onEvent
    }

    /// Takes an event of the engine.
    func take(_ event: HubEngine.Event) {
        switch event {
        case .committed, .paired: changed.yield()
        case .linked, .unlinked, .acknowledged, .refused, .conflicted, .uploadsTaken, .conflictsFull,
            .uploadsContradicted, .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused,
            .notStored:
            break
        }
        let moment = now().monotonic
        observer.lags.note(event, at: moment)
        observer.bell.ring()
        words.learn(event)
        guard limit.admits(event, at: moment) else { return }
        for shown in PoolHub.Event.shown(event, words) { onEvent(shown) }
    }

    /// Takes an event of the transfers with a watch.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        switch event {
        case .exchange(.notStored(let reason)), .files(.notStored(let reason)):
            guard limit.admits(LogRateLimit.Reason.notStored(watch), at: now().monotonic) else { return }
            onEvent(.storeFailed(reason, for: words.watch(watch)))
        case .exchange, .files: break
        }
    }
}
