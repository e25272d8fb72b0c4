/// A counterpart of this device: on a phone one of its watches, on a watch its phone.
public struct SessionWatch: Hashable, Sendable, Identifiable {
    /// Its name for programs, the same for as long as it is paired.
    public let id: String
    /// Its name for people.
    public let name: String

    /// Creates the name of a counterpart.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// Why the watch of an app cannot be changed.
@nonexhaustive
public enum SessionWatchError: Error, Equatable, Sendable {
    /// There is no such watch; the ids of those that there are.
    case unknownWatch(String, known: [String])
    /// A watch has one phone.
    case onlyOnPhone
}

extension SessionWatchError: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .unknownWatch(let id, let known):
            known.isEmpty
                ? "There is no watch \"\(id)\", and no other: pair one first."
                : "There is no watch \"\(id)\": choose one of \(known.joined(separator: ", "))."
        case .onlyOnPhone: "A watch cannot switch watches: do it on the phone."
        }
    }
}
