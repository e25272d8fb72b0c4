import SyncCore
import SyncTransport
import Synchronization

/// The way of one companion to its counterpart, which may not be there yet: what is asked before waits, in its order.
final class PeerLink: Sendable {
    /// Called once, with nil if the way ended first.
    typealias Answer = @Sendable (TransferAnswer?) -> Void

    /// A driver, and who is at its other end.
    enum Way: Sendable {
        case phone(HubTransport, watch: PeerKey)
        case watch(WatchTransport)
    }

    private enum Request: Sendable {
        case ask(@Sendable (RequestID) -> TransferInput, Answer)
        case tell(TransferInput)
    }

    private enum State {
        case waiting([Request])
        case open(Way)
        case ended
    }

    private let state = Mutex(State.waiting([]))

    /// Asks something whose answer somebody waits for.
    func ask(_ input: @escaping @Sendable (RequestID) -> TransferInput, onAnswer: @escaping Answer) {
        submit(.ask(input, onAnswer))
    }

    /// Tells something that has no answer.
    func tell(_ input: TransferInput) {
        submit(.tell(input))
    }

    /// There is a way: what waited goes first.
    func open(_ way: Way) {
        state.withLock { state in
            // The lock is held while they go out, so that nothing overtakes them.
            if case .waiting(let requests) = state {
                for request in requests { Self.send(request, by: way) }
            }
            state = .open(way)
        }
    }

    /// The way no longer exists; another one may come.
    func close() {
        state.withLock { state in
            if case .open = state { state = .waiting([]) }
        }
    }

    /// There will be no way: what waits is answered.
    func end() {
        let requests = state.withLock { state in
            defer { state = .ended }
            guard case .waiting(let requests) = state else { return [] as [Request] }
            return requests
        }
        for request in requests { Self.refuse(request) }
    }

    private func submit(_ request: Request) {
        let isEnded = state.withLock { state in
            switch state {
            case .waiting(let requests):
                state = .waiting(requests + [request])
                return false
            case .open(let way):
                Self.send(request, by: way)
                return false
            case .ended: return true
            }
        }
        if isEnded { Self.refuse(request) }
    }

    private static func send(_ request: Request, by way: Way) {
        switch (request, way) {
        case (.ask(let input, let answer), .phone(let driver, let watch)):
            driver.ask(input, with: watch) { answer(try? $0.get()) }
        case (.ask(let input, let answer), .watch(let driver)):
            // Whatever the reason is, there is no answer.
            driver.ask(input) { answer(try? $0.get()) }
        case (.tell(let input), .phone(let driver, let watch)): driver.tell(input, to: watch)
        case (.tell(let input), .watch(let driver)): driver.tell(input)
        }
    }

    private static func refuse(_ request: Request) {
        if case .ask(_, let answer) = request { answer(nil) }
    }
}
