package import GRDB
import Text

/// Why accounts cannot be used or changed.
package enum AccountError: Error, Equatable, CustomStringConvertible {
    /// A newer version of the program wrote the file.
    case newerFile(String)
    /// The file is damaged, or is another kind of file.
    case damaged(String)
    /// The file cannot be read.
    case unreadable(String, reason: String)
    /// The file can be read, and not be written.
    case unwritable(String, reason: String)
    /// The name is taken.
    case nameTaken(String)
    /// The name is not fit.
    case nameUnfit(String)
    /// There is no such user.
    case noUser(String)
    /// Nothing that is granted has this name; what such a thing is called, and the command that lists them.
    case noScope(String, noun: String, listCommand: String)
    /// It would leave the page without an owner.
    case lastOwner(String)
    /// There is an owner, so the first account cannot be made.
    case notFirst
    /// The first account would be no owner, so nobody could make others.
    case firstIsOwner(String)
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
        case .damaged(let path):
            "\(path) is damaged, or is no file of accounts: put a copy of it in its place, or move it away and make the "
                + "accounts again"
        case .unreadable(let path, let reason):
            "the accounts in \(path) cannot be read: \(reason); look at the file, its folder and its disk"
        case .unwritable(let path, let reason):
            "the accounts in \(path) cannot be written: \(reason); free space, end the program that holds the file, or "
                + "give this user the right to write it"
        case .nameTaken(let name): "there is an account \(Excerpt(name)) already: choose another name"
        case .nameUnfit(let name):
            HiddenCharacter.find(in: name).map {
                "the name \(Excerpt(name)) holds \($0.codePoint), which cannot be seen or steers a terminal: leave it out"
            } ?? "the name \(Excerpt(name)) is not fit: it has 1 to 64 bytes, not only blanks"
        case .noUser(let name): "there is no account \(Excerpt(name)): `account list` shows them"
        case .noScope(let name, let noun, let listCommand):
            "there is no \(noun) \(Excerpt(name)): see \(listCommand)"
        case .lastOwner(let name): "\(Excerpt(name)) is the last owner who is not disabled: make another owner first"
        case .notFirst: "there is an account already: an owner can add others"
        case .firstIsOwner(let name):
            "\(Excerpt(name)) would be no owner, but only owners can add accounts: add an owner first, with --role owner"
        case .tooMany(let what): "there are \(AccountFile.countMax) \(what) already: remove some"
        case .passwordUnfit(let reason): reason
        case .metricsOfOwners(let name):
            "\(Excerpt(name)) is no owner, and the measurements show everything: make the token as an owner"
        }
    }

    /// Why an operation of SQLite failed.
    package init(_ error: DatabaseError, path: String) {
        let reason = error.message ?? "\(error.resultCode)"
        self =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path)
            case .SQLITE_FULL, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY: .unwritable(path, reason: reason)
            default: .unreadable(path, reason: reason)
            }
    }

    /// Why the accounts cannot be used now, without the place of the file, which is not for strangers; nil for another
    /// error.
    package var outage: String? {
        switch self {
        case .damaged: "the file of the accounts is damaged; the page's output says which one, and the way out"
        case .unreadable: "the accounts cannot be read now; the page's output says why"
        case .unwritable(_, let reason):
            "the accounts cannot be written now (\(reason)): logins and changes must wait; who is logged in reads "
                + "as before, and the page's output says more"
        case .newerFile, .nameTaken, .nameUnfit, .noUser, .noScope, .lastOwner, .notFirst, .firstIsOwner, .tooMany,
            .passwordUnfit, .metricsOfOwners:
            nil
        }
    }

    /// The most bytes of a name.
    package static let nameByteCountMax = 64

    /// Checks the name of a new user or token.
    package static func check(name: String) throws(AccountError) {
        guard (1...nameByteCountMax).contains(name.utf8.count), !name.allSatisfy(\.isWhitespace),
            HiddenCharacter.find(in: name) == nil
        else { throw .nameUnfit(name) }
    }
}
