/// A counterpart of this device: on a phone one of its watches, on a watch its phone.
public struct SessionWatch: Hashable, Sendable, Identifiable {
    /// The identifier, for programs; it stays the same while the counterpart is paired.
    public let id: String
    /// The name, for people.
    public let name: String

    /// Creates the description of a counterpart.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// Why the active watch cannot be changed.
@nonexhaustive
public enum SessionWatchError: Error, Equatable, Sendable {
    /// There is no watch with this id; `known` has the existing ids.
    case unknownWatch(String, known: [String])
    /// A watch has only one phone, so it cannot switch.
    case onlyOnPhone
}

extension SessionWatchError: CustomStringConvertible {
    /// The error, and what to do about it.
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
