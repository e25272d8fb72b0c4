import RidesApp
package import SyncCore
import Text
package import WebServer

extension AppName {
    /// The app of this folder.
    package static let rides: AppName = "rides"
}

extension WebProduct {
    /// The page of the rides: an account is granted the persons that it may act for.
    package static let rides = WebProduct(
        app: .rides, name: "Rides", command: "rides server",
        scope: Scope(
            noun: "person", plural: "persons", member: "personID", path: "/api/v1/me",
            listCommand: "rides server --help",
            identity: { Person($0)?.description }),
        commonWords: ["rides", "taxi", "kinshasa"])
}

extension RequestContext {
    /// For whom the account acts: its person, or nobody, who reads everything.
    ///
    /// - Throws: `Problem` for an account that is neither an owner's nor a person's.
    func actor() throws(Problem) -> RidesStore.Actor {
        if account.role == .owner { return .operatorOnly }
        return .person(try person())
    }

    /// The person that the account acts for.
    ///
    /// - Throws: `Problem` if it has none, or may only read.
    func person() throws(Problem) -> Person {
        guard let person = account.grants.lazy.compactMap({ $0.scope.flatMap { Person($0) } }).first else {
            throw Problem(
                .forbidden,
                "this account acts for no person: an operator makes one with `rides server account add NAME --role member --person client:12`",
                french: "ce compte n'agit pour personne")
        }
        if route.method != "GET", account.level(of: person.description) != .edit {
            throw Problem(.forbidden, "this account may only read: make a token with the scope write")
        }
        return person
    }

    /// The key in the path.
    func key() throws(Problem) -> Int {
        guard let key = Int(subject), (1...Int(Int32.max)).contains(key), subject.first != "+" else {
            throw Problem(.missing, "there is no \(Excerpt(subject)): give a number", member: "id", value: subject)
        }
        return key
    }
}
