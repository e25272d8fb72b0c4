// The members are called as the columns are.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import RidesApp
import RidesModel
import Text
import WebServer

/// The body of a request.
protocol RequestBody: Decodable {
    /// The members that it may have.
    static var members: Set<String> { get }
    /// The identity of the command; nil if it may be carried out each time.
    var commande: String? { get }
    /// Checks what the types do not say.
    ///
    /// - Throws: `Problem`.
    func check() throws(Problem)
}

extension RequestBody {
    var commande: String? { nil }

    func check() throws(Problem) { try checkCommand() }

    func checkCommand() throws(Problem) {
        guard let commande else { return }
        guard commande.utf8.count == 32, commande.utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }) else {
            throw Problem(
                .wrongMember, "commande is \(Excerpt(commande)), expected 32 hexadecimal digits", member: "commande",
                value: commande)
        }
    }
}

/// The bodies of the routes.
enum Bodies {
    /// A client asks.
    struct Ask: RequestBody {
        static let members: Set = ["depart_point", "arrivee_point", "commande"]
        var depart_point: Location
        var arrivee_point: Location
        var commande: String?
    }

    /// Nothing but the identity.
    struct Plain: RequestBody {
        static let members: Set = ["commande"]
        var commande: String?
    }

    /// Why a ride is cancelled.
    struct Cancel: RequestBody {
        static let members: Set = ["raison", "commande"]
        var raison: String
        var commande: String?

        func check() throws(Problem) {
            try checkCommand()
            guard (1...200).contains(raison.unicodeScalars.count), !raison.allSatisfy(\.isWhitespace),
                HiddenCharacter.find(in: raison) == nil,
                !raison.unicodeScalars.contains("\0")
            else {
                throw Problem(
                    .wrongMember, "raison is \(Excerpt(raison)), expected 1 to 200 visible characters",
                    member: "raison",
                    value: raison)
            }
        }
    }

    /// The next phase.
    struct PhaseChange: RequestBody {
        static let members: Set = ["phase", "commande"]
        var phase: Phase
        var commande: String?

        func check() throws(Problem) {
            try checkCommand()
            guard phase != .enRoute else {
                throw Problem(.wrongMember, "phase is en_route, expected arrive or a_bord", member: "phase")
            }
        }
    }

    /// Whether a driver works.
    struct Status: RequestBody {
        static let members: Set = ["statut", "commande"]
        var statut: Chauffeur.Statut
        var commande: String?

        func check() throws(Problem) {
            try checkCommand()
            guard statut != .en_course else {
                throw Problem(
                    .wrongMember, "statut is en_course, which a ride decides: expected disponible or hors_ligne",
                    member: "statut")
            }
        }
    }

    /// Where a driver is.
    struct Position: RequestBody {
        static let members: Set = ["localisation", "mesuree"]
        var localisation: Location
        var mesuree: String?

        /// When it was measured; now if that is not said.
        func time(_ now: Timestamp) throws(Problem) -> Timestamp { try Bodies.time(mesuree, now) }
    }

    /// Where drivers are.
    struct Positions: RequestBody {
        struct Item: Decodable {
            var chauffeur: Int
            var localisation: Location
            var mesuree: String?

            /// When it was measured; now if that is not said.
            func time(_ now: Timestamp) throws(Problem) -> Timestamp { try Bodies.time(mesuree, now) }
        }

        static let members: Set = ["positions"]
        var positions: [Item]

        func check() throws(Problem) {
            guard (1...500).contains(positions.count) else {
                throw Problem(
                    .wrongMember, "positions has \(positions.count) places, expected 1 to 500", member: "positions")
            }
        }
    }

    private static func time(_ text: String?, _ now: Timestamp) throws(Problem) -> Timestamp {
        guard let text else { return now }
        guard let time = Timestamp(iso8601: text), time.hasFourDigits else {
            throw Problem(
                .wrongMember, "mesuree is \(Excerpt(text)), expected a time with a zone, such as 2026-06-01T12:00:00Z",
                member: "mesuree", value: text)
        }
        return time
    }
}
