internal import PoolModel

/// Why a watch's folder cannot be used although it could be opened.
@nonexhaustive
public enum WatchFolderError: Error, Equatable, Sendable {
    /// The file of the watch's key does not contain a key.
    case keyUnreadable(path: String)
    /// The file of the paired hub does not have the expected format.
    case hubUnreadable(path: String, reason: String)
    /// A name for the watch is not 1…64 bytes in UTF-8.
    case nameUnfit(String)
    /// A name for the watch contains a `HiddenCharacter`.
    case nameSteers(Unicode.Scalar)
}

extension WatchFolderError: CustomStringConvertible {
    /// The error and the file or value, and what to do about it.
    public var description: String {
        switch self {
        case .keyUnreadable(let path):
            "\(path) holds no key: restore a copy of it, or remove it and pair this watch again"
        case .hubUnreadable(let path, let reason):
            "\(path) does not say which hub this watch is paired with (\(reason)): remove it and pair this watch again"
        case .nameSteers(let scalar): "\(ConfigurationError.nameSteers(.watch, scalar))"
        case .nameUnfit(let name):
            "a watch's name has 1 to 64 bytes, \"\(name.prefix(64))\" has \(name.utf8.count): choose another"
        }
    }
}
