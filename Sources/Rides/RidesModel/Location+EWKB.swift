extension Location {
    private static let point: UInt32 = 1
    private static let heightFlag: UInt32 = 0x8000_0000
    private static let measureFlag: UInt32 = 0x4000_0000
    private static let sridFlag: UInt32 = 0x2000_0000
    private static let types = [
        "Geometry", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
        "GeometryCollection",
    ]

    /// Reads the EWKB of a point, in either byte order, as PostGIS sends it in binary results.
    ///
    /// Plain WKB without a reference system is taken as 4326.
    ///
    /// - Throws: ``LocationError``.
    public init(ewkb bytes: [UInt8]) throws(LocationError) {
        var reader = try EWKBReader(bytes)
        let code = try reader.integer()
        // ISO's WKB adds 1000 for a height and 2000 for a measure; further flags are no geometry's.
        let plain = code & ~(Self.heightFlag | Self.measureFlag | Self.sridFlag)
        let (base, iso) = (Int(plain % 1000), plain / 1000)
        guard iso <= 3, base == Self.point else {
            throw .type(iso <= 3 && base < Self.types.count ? Self.types[base] : "geometry of code \(plain)")
        }
        if code & Self.sridFlag != 0 {
            let srid = Int(Int32(bitPattern: try reader.integer()))
            guard srid == Self.srid else { throw .srid(srid) }
        }
        let hasHeight = code & Self.heightFlag != 0 || iso & 1 != 0
        let hasMeasure = code & Self.measureFlag != 0 || iso & 2 != 0
        let (x, y) = (try reader.double(), try reader.double())
        guard !(x.isNaN && y.isNaN) else { throw .empty }
        guard !hasHeight, !hasMeasure else { throw .dimensions(2 + (hasHeight ? 1 : 0) + (hasMeasure ? 1 : 0)) }
        guard reader.isAtEnd else { throw .unreadable("EWKB of \(bytes.count) bytes") }
        try self.init(latitude: y, longitude: x)
    }

    /// The EWKB, little-endian, with the reference system.
    public var ewkb: [UInt8] {
        var bytes: [UInt8] = [1]
        func add(_ number: some FixedWidthInteger) {
            for place in 0..<(number.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8))) }
        }
        add(Self.point | Self.sridFlag)
        add(UInt32(Self.srid))
        add(longitude.bitPattern)
        add(latitude.bitPattern)
        return bytes
    }
}

/// Reads the numbers of EWKB one after another.
private struct EWKBReader {
    private let bytes: [UInt8]
    private var place = 1
    private let isLittleEndian: Bool

    init(_ bytes: [UInt8]) throws(LocationError) {
        guard let order = bytes.first, order <= 1 else { throw .unreadable("EWKB of \(bytes.count) bytes") }
        self.bytes = bytes
        isLittleEndian = order == 1
    }

    var isAtEnd: Bool { place == bytes.count }

    mutating func integer() throws(LocationError) -> UInt32 { UInt32(try number(byteCount: 4)) }

    mutating func double() throws(LocationError) -> Double { Double(bitPattern: try number(byteCount: 8)) }

    private mutating func number(byteCount: Int) throws(LocationError) -> UInt64 {
        guard bytes.count - place >= byteCount else { throw .unreadable("EWKB of \(bytes.count) bytes") }
        defer { place += byteCount }
        let part = bytes[place..<(place + byteCount)]
        return (isLittleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
