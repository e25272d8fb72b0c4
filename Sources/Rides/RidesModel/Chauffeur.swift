// The properties are called as the columns are, so that code for the published models reads the same.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A driver: a row of `chauffeurs`.
public struct Chauffeur: Identifiable, Hashable, Codable, Sendable {
    /// What a driver does.
    public enum Statut: String, ColumnValue {
        case disponible
        case en_course
        case hors_ligne

        /// What the value is.
        public static let noun = "status of a driver"
    }

    /// The key.
    public var id: Int
    /// The person, of which there may be several drivers.
    public var user_id: Int
    /// Where the driver was last.
    public var localisation: Location
    /// What the driver does.
    public var statut: Statut

    /// Creates a driver.
    public init(id: Int, user_id: Int, localisation: Location, statut: Statut) {
        self.id = id
        self.user_id = user_id
        self.localisation = localisation
        self.statut = statut
    }

    /// Where the driver was last.
    public var coordinate: Location { localisation }
    /// Whether the driver can take a ride.
    public var estDisponible: Bool { statut == .disponible }
    /// Whether the driver has a ride.
    public var estEnCourse: Bool { statut == .en_course }
}
