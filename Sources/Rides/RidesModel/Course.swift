// The properties are called as the columns are, so that code for the published models reads the same.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A ride: a row of `courses`.
public struct Course: Identifiable, Hashable, Codable, Sendable {
    /// Where a ride stands.
    public enum Statut: String, ColumnValue {
        case demande
        case accepte
        case annule
        case completed

        /// What the value is.
        public static let noun = "status of a ride"

        /// Reads both spellings in any case, composed or not: `demande`, `demandé`, `DEMANDÉ`.
        ///
        /// The spelling without accents is written.
        public static func read(_ text: String) -> Statut? { spellings[text.lowercased()] }

        // Swift compares texts as they look, so the decomposed spelling is found, too.
        private static let spellings: [String: Statut] = [
            "demande": .demande, "demandé": .demande, "accepte": .accepte, "accepté": .accepte, "annule": .annule,
            "annulé": .annule, "completed": .completed,
        ]
    }

    /// The key.
    public var id: Int
    /// The person who asked.
    public var client_id: Int
    /// The driver; nil as long as there is no one.
    public var chauffeur_id: Int?
    /// Where the ride begins.
    public var depart_point: Location
    /// Where it ends.
    public var arrivee_point: Location
    /// Where it stands.
    public var statut: Statut
    /// The price that was expected.
    public var montant_estime: Montant

    /// Creates a ride.
    public init(
        id: Int, client_id: Int, chauffeur_id: Int?, depart_point: Location, arrivee_point: Location, statut: Statut,
        montant_estime: Montant
    ) {
        self.id = id
        self.client_id = client_id
        self.chauffeur_id = chauffeur_id
        self.depart_point = depart_point
        self.arrivee_point = arrivee_point
        self.statut = statut
        self.montant_estime = montant_estime
    }

    /// Where the ride begins.
    public var departCoordinate: Location { depart_point }
    /// Where it ends.
    public var arriveeCoordinate: Location { arrivee_point }
    /// The way from beginning to end as the crow flies, on the sphere.
    public var distance: Distance { depart_point.distance(to: arrivee_point) }
    /// Whether a driver is sought.
    public var estEnAttente: Bool { statut == .demande }
    /// Whether a driver has accepted.
    public var estAcceptee: Bool { statut == .accepte }
    /// Whether it is completed.
    public var estTerminee: Bool { statut == .completed }
    /// Whether it was cancelled.
    public var estAnnulee: Bool { statut == .annule }
}

extension Course.Statut {
    /// A step from one status to the next.
    public struct Transition: Hashable, Sendable {
        /// Where the ride stood.
        public var de: Course.Statut
        /// Where it stands then.
        public var vers: Course.Statut

        /// Creates a step.
        public init(de: Course.Statut, vers: Course.Statut) {
            self.de = de
            self.vers = vers
        }
    }

    /// All steps that there are; the trigger of the table allows the same.
    public static let transitions: Set<Transition> = [
        Transition(de: .demande, vers: .accepte), Transition(de: .demande, vers: .annule),
        Transition(de: .accepte, vers: .annule), Transition(de: .accepte, vers: .completed),
    ]

    /// Whether a ride may go on to another status.
    public func peutDevenir(_ next: Course.Statut) -> Bool {
        Self.transitions.contains(Transition(de: self, vers: next))
    }

    /// Whether nothing comes after it.
    public var estFinal: Bool { !Self.transitions.contains { $0.de == self } }

    /// Whether a ride with this status has a driver.
    public var demandeUnChauffeur: Bool { self == .accepte || self == .completed }
}
