import Foundation
import RidesModel
import Testing

/// Points in GeoJSON, WKT and EWKB.
@Suite struct LocationTests {
    private static let kinshasa = "0101000020E61000001F85EB51B89E2E4048E17A14AE4711C0"

    private func decode(_ text: String) throws -> Location {
        do {
            return try JSONDecoder().decode([Location].self, from: Data("[\(text)]".utf8))[0]
        } catch DecodingError.dataCorrupted(let context) {
            throw context.underlyingError ?? DecodingError.dataCorrupted(context)
        }
    }

    @Test func `C26 the longitude stands first in every form, and a swap would show`() throws {
        let paris = try Location(latitude: 48.85, longitude: 2.35)
        let kinshasa = try Location(latitude: -4.32, longitude: 15.31)
        #expect(try decode(#"{"type":"Point","coordinates":[2.35,48.85]}"#) == paris)
        #expect(try Location(wkt: "POINT(2.35 48.85)") == paris)
        #expect(try Location(wkt: " srid=4326; point ( 15.31  -4.32 ) ") == kinshasa)
        #expect(try Location(texte: Self.kinshasa) == kinshasa)
        #expect(try decode("\"\(Self.kinshasa)\"") == kinshasa)
        // Big-endian, and without a reference system.
        #expect(try Location(texte: "00000000014002CCCCCCCCCCCD40486CCCCCCCCCCD") == paris)
        #expect(try Location(ewkb: kinshasa.ewkb) == kinshasa && Location(wkt: kinshasa.ewkt) == kinshasa)
        #expect(
            String(decoding: try JSONEncoder().encode(paris), as: UTF8.self).contains(#""coordinates":[2.35,48.85]"#))
    }

    @Test(arguments: [
        (#"{"type":"Point","coordinates":[]}"#, LocationError.empty), (#""POINT EMPTY""#, .empty),
        (#""0101000020E6100000000000000000F87F000000000000F87F""#, .empty),
        (#"{"type":"Point","coordinates":[2.35]}"#, .dimensions(1)),
        (#"{"type":"Point","coordinates":[2.35,48.85,35]}"#, .dimensions(3)),
        (#""POINT Z (1 2 3)""#, .dimensions(3)), (#""POINTM(1 2 3)""#, .dimensions(3)),
        (#""POINT ZM (1 2 3 4)""#, .dimensions(4)), (#""POINT(1 2 3)""#, .dimensions(3)),
        (#""01010000A0E6100000000000000000F03F00000000000000400000000000000840""#, .dimensions(3)),
        (#""01E9030000000000000000F03F00000000000000400000000000000840""#, .dimensions(3)),
        (#""0101000040E6100000000000000000F03F00000000000000400000000000000840""#, .dimensions(3)),
        (#""00E0000001000010E63FF0000000000000400000000000000040080000000000004010000000000000""#, .dimensions(4)),
        (#""00000003E93FF000000000000040000000000000004008000000000000""#, .dimensions(3)),
        (#""0020000001000010E67FF80000000000007FF8000000000000""#, .empty),
        (#""01010000A0E6100000000000000000F87F000000000000F87F000000000000F87F""#, .empty),
        (#""0020000001000011203FF00000000000004000000000000000""#, .srid(4384)),
        (#""0101000020000000000000F03F00000000000000400000000000000840""#, .srid(0)),
        (#""0101000020E6100000000000000000F07F0000000000000040""#, .longitude(.infinity)),
        (#""0101000020E6100000000000000000F03F000000000000F87F""#, .latitude(.nan)),
        (#""0101000100000000000000F03F0000000000000040""#, .type("geometry of code 65537")),
        (#""0189130000000000000000F03F0000000000000040""#, .type("geometry of code 5001")),
        (#""010F00000000000000""#, .type("geometry of code 15")),
        (#""0201000000000000000000F03F0000000000000040""#, .unreadable("EWKB of 21 bytes")),
        (#"{"type":"Polygon","coordinates":[]}"#, .type("Polygon")),
        (#""LINESTRING(1 2,3 4)""#, .type("LINESTRING")), (#""010200000000000000""#, .type("LineString")),
        (#""SRID=3857;POINT(1 2)""#, .srid(3857)),
        (#""0101000020110F0000000000000000F03F0000000000000040""#, .srid(3857)),
        (
            #"{"type":"Point","crs":{"type":"name","properties":{"name":"EPSG:3857"}},"coordinates":[1,2]}"#,
            .srid(3857)
        ),
        (#"{"type":"Point","coordinates":[48.85,200]}"#, .latitude(200)),
        (#"{"type":"Point","coordinates":[-180.5,4]}"#, .longitude(-180.5)),
        (#""POINT(nan 3)""#, .longitude(.nan)),
        (#""POINT(1 b)""#, .unreadable("\"POINT(1 b)\"")), (#""POINT()""#, .unreadable("\"POINT()\"")),
        (#""SRID=x;POINT(1 2)""#, .unreadable("\"SRID=x;POINT(1 2)\"")), ("\"\"", .unreadable("\"\"")),
        (#""0101000020E6100000000000000000F03F""#, .unreadable("EWKB of 17 bytes")),
    ])
    func `C27 what is no point of longitude and latitude is a typed error`(_ text: String, _ error: LocationError) {
        let thrown = #expect(throws: LocationError.self) { try decode(text) }
        // NaN differs from itself.
        #expect(thrown == error || thrown?.description == error.description)
    }

    @Test func `C26 C27 each cut of EWKB is an error, and the reference system of GPS may be named`() throws {
        let bytes = try Location(latitude: 1, longitude: 2).ewkb
        for count in 0..<bytes.count {
            #expect(throws: LocationError.self) { try Location(ewkb: Array(bytes[..<count])) }
        }
        #expect(throws: LocationError.self) { try Location(ewkb: bytes + [0]) }
        for name in ["EPSG:4326", "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:OGC:1.3:CRS84"] {
            let text =
                #"{"type":"Point","crs":{"type":"name","properties":{"name":"\#(name)"}},"coordinates":[2,1]}"#
            #expect(try decode(text).latitude == 1)
        }
    }

    @Test func `C16 distances are those of the sphere, across the date line and at the poles`() throws {
        let west = try Location(latitude: 0, longitude: 179.5)
        let east = try Location(latitude: 0, longitude: -179.5)
        #expect(abs(west.distance(to: east).metres - 111_195.08) < 0.1)
        let pole = try Location(latitude: 90, longitude: 10)
        #expect(pole.distance(to: try Location(latitude: 90, longitude: -170)).metres < 1e-6)
        let half = west.distance(to: try Location(latitude: 0, longitude: -0.5)).metres
        #expect(abs(half - .pi * Location.sphereRadiusMetres) < 0.1)
    }
}
