import Crypto
import PoolControl
import PoolModel
import WebServer

/// Entity tags.
enum EntityTag {
    /// The entity tag of a value: a hash of what it is, so that it is the same after a restart of the hub.
    static func of(_ value: some Encodable) -> String {
        let bytes = CanonicalJSON.bytes(ofEncodable: value)
        return "\"\(Hexadecimal.text(SHA256.hash(data: bytes).prefix(12)))\""
    }
}

/// The header `If-Match` of a request.
private struct Precondition {
    private let text: String
    private let tags: [String]

    init(_ context: RequestContext) throws(Problem) {
        guard let text = context.request.headers["if-match"] else {
            throw Problem(
                .noPrecondition, "the header If-Match is missing: send the ETag with which it was read",
                member: "If-Match")
        }
        self.text = text
        // A proxy that compresses makes an ETag a weak one; it is a hash of the thing, so both say the same.
        tags = text.split(separator: ",").map { tag in
            let plain = tag.filter { $0 != " " }
            return plain.hasPrefix("W/") ? String(plain.dropFirst(2)) : plain
        }
    }

    func fits(_ tag: String) -> Bool { tags == ["*"] || tags.contains(tag) }

    /// The problem that the subject is another one; `present` has it.
    func problem(present: WebResponse) -> Problem {
        var problem = Problem(
            .changed, "it has changed since it was read: `present` has it as it is now; look at it and try again",
            french: "cela a changé depuis sa lecture : regardez, puis réessayez", member: "If-Match", value: text)
        if case .bytes(let bytes) = present.body { problem.present = String(decoding: bytes, as: UTF8.self) }
        return problem
    }
}

extension HubWatcher {
    /// Checks that the subject is what the client has read.
    ///
    /// - Throws: ``Problem`` if it is not, with the subject as it is.
    func checkPrecondition(_ context: RequestContext, _ tag: String, present: WebResponse) throws {
        let wanted = try Precondition(context)
        guard wanted.fits(tag) else { throw wanted.problem(present: present) }
    }

    /// Carries out a change if its subject is what the client has read, and answers with the subject afterwards.
    ///
    /// The hub carries it out only at the revision that was compared: an edit in between on a watch is seen here first.
    ///
    /// - Parameters:
    ///   - context: The request, with `If-Match`.
    ///   - tag: The tag of the subject.
    ///   - request: The change.
    ///   - present: The answer afterwards.
    ///   - changed: The subject, for a problem; by default the answer.
    /// - Returns: The answer.
    /// - Throws: ``Problem`` if nothing was changed.
    func change(
        _ context: RequestContext, if tag: (ReceivedState) throws -> String,
        to request: (ReceivedState) throws -> HubRequest<String>,
        present: (ReceivedState) throws -> WebResponse, changed: ((ReceivedState) throws -> WebResponse)? = nil
    ) async throws -> WebResponse {
        let wanted = try Precondition(context)
        func fits(_ snapshot: ReceivedState) throws -> Bool { try wanted.fits(tag(snapshot)) }
        var snapshot = try snapshot()
        if try !fits(snapshot) { snapshot = try await freshSnapshot() }
        for _ in 0..<8 {
            guard try fits(snapshot) else {
                throw wanted.problem(present: try changed.map { try $0(snapshot) } ?? present(snapshot))
            }
            do {
                _ = try await ask(
                    try request(snapshot)
                        .authored(by: context.account.author, ifRevision: snapshot.state.revision))
            } catch HubRequestError.revisionMoved {
                snapshot = try await freshSnapshot()
                continue
            }
            return try present(try await freshSnapshot())
        }
        throw Problem(.refused, "the configuration kept changing: try again")
    }

    /// Carries out a command on behalf of an account, and answers with what was done.
    func perform(_ request: HubRequest<String>, _ context: RequestContext) async throws -> WebResponse {
        let done = Done(done: try await ask(request.authored(by: context.account.author)))
        // What the page asks next shows it.
        _ = try await freshSnapshot()
        return try .json(done)
    }
}
