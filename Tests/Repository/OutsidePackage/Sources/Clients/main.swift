@preconcurrency import WatchConnectivity
import WatchConnectivityTesting

/// Uses the clients on a pair: a model of the main actor on the phone, and an actor on the watch.
@MainActor func run() async throws -> Bool {
    let pair = try TestPair()
    let model = Model(session: pair.phone)
    let link = Link(session: pair.watch)
    model.start()
    await link.start()
    await pair.settle()
    guard await link.isActivated else { return false }

    await link.send(laps: 4)
    let question = Task { try await model.ask(41) }
    let end = ContinuousClock.now + .seconds(10)
    while model.laps == 0 || model.answer == nil, ContinuousClock.now < end {
        await pair.settle()
        // The model goes on in tasks of this actor.
        await Task.yield()
    }
    question.cancel()

    let mock = MockSession()
    mock.sendMessage(["a": 1], replyHandler: nil)
    print("laps: \(model.laps), answer: \(model.answer ?? 0), mock: \(mock.sent.count)")
    return model.laps == 4 && model.answer == 42 && mock.sent.count == 1 && mock.isReachable
}

exit(try await run() ? 0 : 1)
