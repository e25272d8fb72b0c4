import Text
import WatchConnectivity

extension PhoneHost {
    /// The watch of a name; nil if none is paired under it.
    package func caller(named name: String) -> Caller? { callers.first { $0.watch.name == name } }

    /// Lets a watch do something, or not any more; durable when this returns.
    ///
    /// - Parameters:
    ///   - grant: What it may do.
    ///   - isGiven: Whether it may.
    ///   - caller: The watch.
    ///   - rest: What a watch without grants may do, in the app's words.
    /// - Returns: What it may do now, in words: `Left may: tars.actuate`.
    /// - Throws: What ``setGrants(_:of:)`` throws.
    package func change(
        _ grant: String, isGiven: Bool, of caller: Caller, rest: String
    ) async throws -> String {
        var grants = caller.grants
        if isGiven { grants.names.insert(grant) } else { grants.names.remove(grant) }
        try await setGrants(grants, of: caller.watch.id)
        return "\(caller.watch.name) may: "
            + (grants.names.isEmpty ? rest : grants.names.sorted().joined(separator: ", "))
    }

    /// Why there is no watch of a name, with those that there are.
    package func absence(ofWatch name: String) -> String {
        let known = callers.map(\.watch.name).joined(separator: ", ")
        return "there is no watch \(Excerpt(name)): " + (known.isEmpty ? "none is paired" : known)
    }
}
