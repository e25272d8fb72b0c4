#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A place: a `GEOGRAPHY(Point, 4326)` of PostGIS.
///
/// PostGIS and GeoJSON write the longitude first; here each has its name.
public struct Location: Hashable, Sendable {
    /// The latitude in degrees, −90…90; north is positive.
    public let latitude: Double
    /// The longitude in degrees, −180…180; east is positive.
    public let longitude: Double

    /// Creates a place.
    ///
    /// - Throws: ``LocationError/latitude(_:)`` or ``LocationError/longitude(_:)``.
    public init(latitude: Double, longitude: Double) throws(LocationError) {
        guard (-90...90).contains(latitude) else { throw .latitude(latitude) }
        guard (-180...180).contains(longitude) else { throw .longitude(longitude) }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The radius of PostGIS's sphere, in metres: that of `ST_Distance(…, use_spheroid => false)` and of `<->`.
    public static let sphereRadiusMetres = 6_371_008.771415059

    /// The distance on the sphere, as `ST_Distance(a, b, false)` has it.
    public func distance(to other: Location) -> Distance {
        let radian = Double.pi / 180
        let south = sin((other.latitude - latitude) * radian / 2)
        let east = sin((other.longitude - longitude) * radian / 2)
        let haversine = south * south + cos(latitude * radian) * cos(other.latitude * radian) * east * east
        return Distance(metres: 2 * Self.sphereRadiusMetres * asin(min(1, haversine).squareRoot()))
    }
}

/// A length, whose unit is in the name of each property.
public struct Distance: Hashable, Comparable, Sendable {
    /// The length in metres.
    public var metres: Double

    /// Creates a length.
    public init(metres: Double) { self.metres = metres }

    /// The length in kilometres.
    public var kilometres: Double { metres / 1000 }

    /// Whether the first is shorter.
    public static func < (first: Distance, second: Distance) -> Bool { first.metres < second.metres }
}

/// Why something is no ``Location``.
@nonexhaustive
public enum LocationError: Error, Hashable, Sendable {
    /// The point has no coordinates, as `POINT EMPTY` and `"coordinates": []`.
    case empty
    /// It has this number of coordinates, or a height or a measure; expected longitude and latitude only.
    case dimensions(Int)
    /// It is in this reference system; expected 4326.
    case srid(Int)
    /// It is another geometry, such as `Polygon`; expected `Point`.
    case type(String)
    /// The latitude is not between −90 and 90.
    case latitude(Double)
    /// The longitude is not between −180 and 180.
    case longitude(Double)
    /// The text or the bytes are cut off or no geometry at all.
    case unreadable(String)
}

extension LocationError: CustomStringConvertible {
    /// The error, and what would be right.
    public var description: String {
        switch self {
        case .empty: "the point is empty: expected [longitude, latitude]"
        case .dimensions(let count): "the point has \(count) coordinates: expected 2, [longitude, latitude]"
        case .srid(let srid): "the point has SRID \(srid): expected 4326"
        case .type(let type): "the geometry is a \(type): expected a Point"
        case .latitude(let value): "the latitude is \(value): expected -90 to 90"
        case .longitude(let value): "the longitude is \(value): expected -180 to 180"
        case .unreadable(let what): "\(what) is no point: expected GeoJSON, WKT or EWKB"
        }
    }
}
