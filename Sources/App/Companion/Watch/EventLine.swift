import Platform

/// What waits for the reader of a watch's events.
///
/// Something that the store has is removed there when the reader asks for the next one, so that a reader whose process ends
/// meanwhile gets it again.
final class EventLine<Event: Sendable>: Sendable {
    private struct State: Sendable {
        var waiting: [(event: Event, number: UInt64?)] = []
        /// What the reader has, in the store.
        var taken: UInt64?
        var reader: CheckedContinuation<Event?, Never>?
        var isFinished = false

        mutating func take() -> Event? {
            guard !waiting.isEmpty else { return nil }
            let (event, number) = waiting.removeFirst()
            taken = number
            return event
        }
    }

    private let state = Lock(State())
    private let onTaken: @Sendable (UInt64) -> Void

    /// - Parameter onTaken: Called with the number of something that the reader has handled.
    init(onTaken: @escaping @Sendable (UInt64) -> Void) {
        self.onTaken = onTaken
    }

    func add(_ event: Event, number: UInt64? = nil) {
        let ready = state.withLock { state -> (CheckedContinuation<Event?, Never>, Event)? in
            state.waiting.append((event, number))
            guard let reader = state.reader, let event = state.take() else { return nil }
            state.reader = nil
            return (reader, event)
        }
        if let (reader, event) = ready { reader.resume(returning: event) }
    }

    /// The next event; nil after the end, and when the reader's task is cancelled.
    func next() async -> Event? {
        let taken = state.withLock { state in
            defer { state.taken = nil }
            return state.taken
        }
        if let taken { onTaken(taken) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: Event?? = state.withLock { state in
                    if let event = state.take() { return .some(event) }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            release()
        }
    }

    /// The reader gets what waits, and then the end.
    func finish() {
        state.withLock { $0.isFinished = true }
        release()
    }

    private func release() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}

/// The first of several answers; later ones have no effect.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
        case over
    }

    private let state = Lock(State.open)

    func give(_ value: Value) {
        let reader = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .open:
                state = .given(value)
                return nil
            case .awaited(let reader):
                state = .over
                return reader
            case .given, .over: return nil
            }
        }
        reader?.resume(returning: value)
    }

    /// Waits for the first answer; call it once.
    var value: Value {
        get async {
            await withCheckedContinuation { reader in
                let value = state.withLock { state -> Value? in
                    if case .given(let value) = state {
                        state = .over
                        return value
                    }
                    state = .awaited(reader)
                    return nil
                }
                if let value { reader.resume(returning: value) }
            }
        }
    }
}
