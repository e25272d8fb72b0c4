import Platform
package import SyncCore

/// An engine with its store, for a command that found no running service and has opened the folder.
///
///     request ──▶ ┌────────┐ ──what must be durable──▶ ┌───────┐
///     answer  ◀── │ engine │                           │ store │
///                 └────────┘ ◀────what became of it─── └───────┘
///
/// There is no link and no time: what the engine wants to send, and the work of its transfers, is left out. It wants both
/// again in the next process that runs it.
///
/// It can be used on any thread, and blocks it while the store writes.
package final class RestingEngine<Engine: SyncEngine>: Sendable {
    private let engine: Lock<Engine>
    private let store: @Sendable (Engine.Output) -> Engine.Input?

    /// Takes an engine; nothing is written before the first request.
    ///
    /// - Parameters:
    ///   - engine: The engine, with the state that its store holds.
    ///   - store: Makes durable what an output asks for, and returns the input that reports the result, also that of a
    ///     failure; nil for an output that asks for something else.
    package init(_ engine: Engine, store: @escaping @Sendable (Engine.Output) -> Engine.Input?) {
        self.engine = Lock(engine)
        self.store = store
    }

    /// Reads from the engine.
    package func read<Value: Sendable>(_ value: (Engine) -> Value) -> Value { engine.withLock { value($0) } }

    /// Carries out a request.
    ///
    /// When it returns, everything that the engine wanted to store is durable, or the store has refused it.
    ///
    /// - Parameters:
    ///   - input: The input of a request with an identifier.
    ///   - answer: The answer to the request in an output; nil for any other output. The engine must give one as soon as
    ///     its store has nothing left to do; without one the process ends.
    /// - Returns: The answer.
    package func perform<Answer: Sendable>(
        _ input: (RequestID) -> Engine.Input, answer: (Engine.Output, RequestID) -> Answer?
    ) -> Answer {
        // Only one request is open at a time, so one identifier is enough.
        let request = RequestID(number: 1)
        let answer = engine.withLock { engine in
            // What it wanted to store when it was created; nobody has asked it anything yet.
            drain(&engine) { _ in }
            engine.handle(input(request), at: .now)
            var given: Answer?
            drain(&engine) { given = answer($0, request) ?? given }
            return given
        }
        guard let answer else { preconditionFailure("the engine did not answer although its store is idle") }
        return answer
    }

    /// Takes the engine's outputs until none is left, and passes on those that are not for the store.
    private func drain(_ engine: inout Engine, _ pass: (Engine.Output) -> Void) {
        // The engine accepts no input while it has outputs.
        var results: [Engine.Input] = []
        while true {
            while let output = engine.nextOutput() {
                if let result = store(output) { results.append(result) } else { pass(output) }
            }
            guard !results.isEmpty else { return }
            engine.handle(results.removeFirst(), at: .now)
        }
    }
}
