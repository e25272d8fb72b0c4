import PoolModel

/// Why accounts cannot be used or changed.
package enum AccountError: Error, Equatable, CustomStringConvertible {
    /// A newer version of the program wrote the file.
    case newerFile(String)
    /// The name is taken.
    case nameTaken(String)
    /// The name is not fit.
    case nameUnfit(String)
    /// There is no such user.
    case noUser(String)
    /// There is no such pool.
    case noPool(String)
    /// It would leave the page without an owner.
    case lastOwner(String)
    /// There is at least one account, so the first one cannot be made.
    case notFirst
    /// There are too many.
    case tooMany(String)
    /// The password is not fit.
    case passwordUnfit(String)
    /// Only owners may have tokens for the measurements.
    case metricsOfOwners(String)

    /// What is wrong, and the way out.
    package var description: String {
        switch self {
        case .newerFile(let path): "a newer version of the program wrote \(path): use that one"
        case .nameTaken(let name): "there is an account \(Excerpt(name)) already: choose another name"
        case .nameUnfit(let name):
            "the name \(Excerpt(name)) is not fit: it has 1 to 64 bytes, not only blanks, and no control or "
                + "bidirectional characters"
        case .noUser(let name): "there is no account \(Excerpt(name)): see poolsensors web account list"
        case .noPool(let name): "there is no pool \(Excerpt(name)): see poolsensors pool list"
        case .lastOwner(let name): "\(Excerpt(name)) is the last owner who is not disabled: make another owner first"
        case .notFirst: "there is an account already: an owner can add others"
        case .tooMany(let what): "there are \(AccountFile.countMax) \(what) already: remove some"
        case .passwordUnfit(let reason): reason
        case .metricsOfOwners(let name):
            "\(Excerpt(name)) is no owner, and the measurements show all pools: make the token as an owner"
        }
    }

    /// Checks the name of a new user or token.
    static func check(name: String) throws(AccountError) {
        guard (1...64).contains(name.utf8.count), !name.allSatisfy(\.isWhitespace),
            ControlCharacter.find(in: name) == nil
        else { throw .nameUnfit(name) }
    }
}
