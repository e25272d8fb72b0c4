package import TarsApp
package import TarsPhone
package import WebServer

/// The phone that runs on a folder of this machine.
package typealias HomeWatcher = FollowedService<HomeRequest, HomeReply, HomeView>

extension HomeWatcher {
    /// Creates the way to a phone.
    ///
    /// - Parameter exchange: Asks the phone; throws if none answers.
    package convenience init(exchange: @escaping @Sendable (HomeRequest) async throws -> HomeReply) {
        self.init(
            absence: Problem(
                .hubAbsent, "the phone does not run: start it with `tars phone`",
                french: "le téléphone ne tourne pas : lancez-le avec `tars phone`"),
            next: { .next(after: $0?.madeAt) }, view: { if case .view(let view) = $0 { view } else { nil } },
            exchange: exchange)
    }

    /// Asks the phone for something that it may refuse.
    ///
    /// - Throws: `Problem` with the phone's sentence if it cannot do it, or that it does not answer.
    func get(_ request: HomeRequest) async throws(Problem) -> HomeReply {
        let reply = try await ask(request)
        if case .problem(let sentence) = reply { throw Problem(.refused, sentence) }
        return reply
    }
}
