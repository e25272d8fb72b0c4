extension Location {
    /// The reference system of GPS: the only one of these tables.
    public static let srid = 4326

    /// Takes the coordinates of a point in the order of PostGIS: longitude, latitude.
    ///
    /// - Throws: ``LocationError``.
    public init(coordinates: [Double]) throws(LocationError) {
        guard !coordinates.isEmpty else { throw .empty }
        guard coordinates.count == 2 else { throw .dimensions(coordinates.count) }
        try self.init(latitude: coordinates[1], longitude: coordinates[0])
    }

    /// The coordinates in the order of PostGIS: longitude, latitude.
    public var coordinates: [Double] { [longitude, latitude] }
}

extension Location: Codable {
    private enum CodingKeys: CodingKey { case type, coordinates, crs }

    /// The reference system as PostGIS writes it in GeoJSON.
    private struct ReferenceSystem: Decodable {
        struct Properties: Decodable { var name: String }
        var properties: Properties

        /// The number behind the last colon, as in `EPSG:4326` and `urn:ogc:def:crs:EPSG::4326`; 4326 for `CRS84`.
        var srid: Int {
            let last = properties.name.split(separator: ":").last.map(String.init) ?? ""
            return last == "CRS84" ? Location.srid : Int(last) ?? 0
        }
    }

    /// Reads a GeoJSON point, or a text of WKT, EWKT or hexadecimal EWKB.
    ///
    /// - Throws: `DecodingError` with a ``LocationError`` below it.
    public init(from decoder: any Decoder) throws {
        do {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = try Location(texte: text)
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let type = try container.decode(String.self, forKey: .type)
            guard type == "Point" else { throw LocationError.type(type) }
            if let system = try container.decodeIfPresent(ReferenceSystem.self, forKey: .crs),
                system.srid != Self.srid
            {
                throw LocationError.srid(system.srid)
            }
            try self.init(coordinates: container.decode([Double].self, forKey: .coordinates))
        } catch let error as LocationError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }

    /// Writes a GeoJSON point.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("Point", forKey: .type)
        try container.encode(coordinates, forKey: .coordinates)
    }
}
