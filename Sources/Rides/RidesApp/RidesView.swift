package import RidesModel
package import Text

/// How far a ride is while it is accepted; the four values of `courses` stay as they are.
package enum Phase: String, CaseIterable, Codable, Sendable {
    /// The driver is on the way to the client.
    case enRoute = "en_route"
    /// The driver waits at the place where the ride begins.
    case arrive
    /// The client is in the car.
    case aBord = "a_bord"

    /// The phase before it; nil for the first.
    package var before: Phase? {
        switch self {
        case .enRoute: nil
        case .arrive: .enRoute
        case .aBord: .arrive
        }
    }
}

/// What a person is shown, on the page and on the watch: all of it is the person's own.
package struct RidesView: Codable, Equatable, Sendable {
    /// A place that a driver was at.
    package struct Fix: Codable, Equatable, Sendable {
        /// The place.
        package var localisation: Location
        /// When it was measured; nil if that is not known.
        package var mesuree: Timestamp?

        /// Notes a place.
        package init(localisation: Location, mesuree: Timestamp?) {
            self.localisation = localisation
            self.mesuree = mesuree
        }

        /// How old it is for people.
        package enum Age: Equatable, Sendable {
            /// At most 30 s.
            case fresh
            /// At most 120 s: it is shown in grey.
            case grey
            /// Older: where the driver is is not known, which does not mean offline.
            case unknown
        }

        /// How old it is.
        package func age(at now: Timestamp) -> Age {
            guard let mesuree else { return .unknown }
            let seconds = now.milliseconds(since: mesuree) / 1000
            return seconds <= 30 ? .fresh : seconds <= 120 ? .grey : .unknown
        }
    }

    /// The driver of a ride, whom its client sees only while the ride is accepted.
    package struct Driver: Codable, Equatable, Sendable {
        package var nom: String
        package var plaque: String
        package var fix: Fix?

        /// Describes a driver.
        package init(nom: String, plaque: String, fix: Fix?) {
            self.nom = nom
            self.plaque = plaque
            self.fix = fix
        }
    }

    /// A ride of the person.
    package struct Ride: Codable, Equatable, Sendable {
        package var course: Course
        /// How far it is; nil unless it is accepted.
        package var phase: Phase?
        /// The driver; nil unless it is accepted, and for the driver.
        package var driver: Driver?
        /// In how many seconds the driver is expected at the client or at the destination, roughly; nil if it is not known.
        package var etaSeconds: Int?
        /// Who cancelled it, and why; nil if it is not cancelled.
        package var annulation: String?

        /// Describes a ride.
        package init(course: Course, phase: Phase?, driver: Driver?, etaSeconds: Int?, annulation: String?) {
            self.course = course
            self.phase = phase
            self.driver = driver
            self.etaSeconds = etaSeconds
            self.annulation = annulation
        }
    }

    /// A ride that is offered to a driver.
    package struct Offer: Codable, Equatable, Sendable {
        package var course: Int
        package var depart: Location
        package var arrivee: Location
        package var montant: Montant
        /// The way to the place where it begins, as the crow flies.
        package var distanceMetres: Int
        /// Until when it can be accepted.
        package var expire: Timestamp

        /// Describes an offer.
        package init(
            course: Int, depart: Location, arrivee: Location, montant: Montant, distanceMetres: Int, expire: Timestamp
        ) {
            self.course = course
            self.depart = depart
            self.arrivee = arrivee
            self.montant = montant
            self.distanceMetres = distanceMetres
            self.expire = expire
        }
    }

    /// What a driver is shown beside the ride.
    package struct Driving: Codable, Equatable, Sendable {
        package var statut: Chauffeur.Statut
        /// Where the driver is; nil if the database has no place on earth.
        package var fix: Fix?
        /// Whether the last fix was farther than a car can be, and is not used.
        package var estSuspecte: Bool
        /// At most ``offersMax``, the nearest first.
        package var offres: [Offer]

        /// Describes a driver.
        package init(statut: Chauffeur.Statut, fix: Fix?, estSuspecte: Bool, offres: [Offer]) {
            self.statut = statut
            self.fix = fix
            self.estSuspecte = estSuspecte
            self.offres = offres
        }
    }

    /// The most offers that a driver is shown.
    package static let offersMax = 5

    /// Who is shown it.
    package var person: Person
    /// The ride that is open, or the last one; nil for none.
    package var ride: Ride?
    /// What a driver sees; nil for a client.
    package var driving: Driving?

    /// Describes what a person is shown.
    package init(person: Person, ride: Ride?, driving: Driving?) {
        self.person = person
        self.ride = ride
        self.driving = driving
    }
}

extension RidesView {
    /// What of a view does not move.
    package struct Steady: Equatable, Sendable {
        fileprivate var ride: Ride?
        fileprivate var statut: Chauffeur.Statut?
        fileprivate var offres: [Int]
        fileprivate var estSuspecte: Bool?
    }

    /// The view without places and times.
    package var steady: Steady {
        var steady = Steady(
            ride: ride, statut: driving?.statut, offres: driving?.offres.map(\.course).sorted() ?? [],
            estSuspecte: driving?.estSuspecte)
        steady.ride?.driver?.fix = nil
        steady.ride?.etaSeconds = nil
        return steady
    }
}

/// Something that happened to a ride.
package struct RideEvent: Codable, Hashable, Sendable {
    /// What happened.
    package enum Genre: String, Codable, Sendable {
        case demande, accepte, annule, completed
        case enRoute = "en_route"
        case arrive
        case aBord = "a_bord"
        /// The payment.
        case recu
    }

    /// Where it stands in the order of the database; a reader goes on behind it.
    package struct Position: Codable, Hashable, Comparable, Sendable {
        /// The transaction.
        package var xid: Int
        /// The number within it.
        package var id: Int

        /// Before the first event.
        package static let start = Position(xid: 0, id: 0)

        /// Creates a position.
        package init(xid: Int, id: Int) {
            self.xid = xid
            self.id = id
        }

        /// Reads `12-5`; nil for another text.
        package init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }),
                let xid = Int(parts[0]), let id = Int(parts[1])
            else { return nil }
            self.init(xid: xid, id: id)
        }

        /// The position as text: `12-5`.
        package var text: String { "\(xid)-\(id)" }

        /// Whether the first comes before.
        package static func < (first: Position, second: Position) -> Bool {
            (first.xid, first.id) < (second.xid, second.id)
        }
    }

    package var position: Position
    package var course: Int
    package var genre: Genre
    /// Who cancelled and why; nil for other events.
    package var texte: String?
    /// What was paid; nil for other events.
    package var montant: Montant?
    package var le: Timestamp

    /// Notes an event.
    package init(position: Position, course: Int, genre: Genre, texte: String?, montant: Montant?, le: Timestamp) {
        self.position = position
        self.course = course
        self.genre = genre
        self.texte = texte
        self.montant = montant
        self.le = le
    }
}
