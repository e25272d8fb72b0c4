import Postgres
import RidesApp
import Service
import Text
import WebServer

extension RidesHandlers {
    /// The stream of what a person is shown.
    func stream(_ context: RequestContext) async throws -> WebResponse {
        let feed = ViewFeed(store: store, person: try context.person())
        // A person that does not exist is refused before the stream begins.
        _ = try await store.view(of: feed.person)
        return try events.stream(context, of: feed, every: ViewFeed.interval) { [changes] in changes.changes() }
    }
}

/// What a person is shown: a whole view whenever it is another one.
private struct ViewFeed: EventFeed {
    /// How often the store is asked without being woken, and how often a view goes out in which only places changed.
    static let interval = Duration.seconds(1)

    let store: RidesStore
    let person: Person
    private var shown: RidesView?
    private var sent: ContinuousClock.Instant?

    init(store: RidesStore, person: Person) {
        self.store = store
        self.person = person
    }

    mutating func events(for account: Account) async throws -> String {
        let view: RidesView
        do {
            view = try await store.view(of: person)
        } catch let error as PostgresError where error.isConnectionLost {
            // The next look may find the database again.
            return ""
        }
        let isDue = sent.map { $0.duration(to: .now) >= Self.interval } ?? true
        guard view != shown, isDue || view.steady != shown?.steady else { return "" }
        (shown, sent) = (view, .now)
        return "event: vue\ndata: \(String(decoding: try CanonicalJSON.encode(view), as: UTF8.self))\n\n"
    }

    func ping(for account: Account) -> String { ": \n\n" }
}
