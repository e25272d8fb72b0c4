package import PoolControl
import PoolModel
import SyncCore

/// Which watch a person means, and words about watches' names.
enum WatchNames {
    /// Says that there is no watch of a name, and which there are.
    static func missing(_ name: String, among names: [String]) -> String {
        names.isEmpty
            ? "there is no watch named \(name): none is paired yet"
            : "there is no watch named \(name); "
                + (NearMiss.nearest(to: name, in: names).map { "did you mean \($0)? " } ?? "")
                + "there are: \(names.sorted().joined(separator: ", "))"
    }

    /// The watch that a person means, to send it something: by its name, or by the start of its key.
    ///
    /// - Throws: ``RequestProblem``, if none or several are meant.
    static func meant(_ text: String, among watches: [PairedWatch]) throws -> PairedWatch {
        try meant(text, among: watches, name: \.name) { key, start in key.key.hexadecimal.hasPrefix(start) }
    }

    fileprivate static func meant<Watch>(
        _ text: String, among watches: [Watch], name: (Watch) -> String, hasKey: (Watch, String) -> Bool
    ) throws -> Watch {
        if let named = watches.first(where: { name($0) == text }) { return named }
        let start = text.lowercased()
        let found = start.count >= 4 ? watches.filter { hasKey($0, start) } : []
        guard found.count < 2 else {
            throw RequestProblem("\(found.count) watches have a key that begins with \(text): give more of it")
        }
        guard let watch = found.first else {
            throw RequestProblem(
                missing(text, among: watches.map(name))
                    + (watches.isEmpty
                        ? "; invite one with: poolsensors pair"
                        : ". A watch that was unpaired gets nothing: pair it again"))
        }
        return watch
    }
}

extension HubState {
    /// The watch that a person means, to send it something: by its name, or by the start of its key.
    ///
    /// A state has only the start of each key, so a text that goes on after it may mean another watch to the hub.
    ///
    /// - Parameter text: What the person typed.
    /// - Returns: The watch.
    /// - Throws: In words, if none or several are meant.
    package func watch(meant text: String) throws -> WatchConnection {
        try WatchNames.meant(text, among: watches, name: \.name) { watch, start in
            watch.key.hasPrefix(start) || start.hasPrefix(watch.key)
        }
    }
}
