/// What an alert is about; at most one episode of a key is open at any time.
///
/// | text, stable forever | meaning |
/// |---|---|
/// | `value/` + device + `/` + quantity + `/low` or `/high` | the value left its limits on that side |
/// | `missing/` + device | nothing comes from the device |
/// | `missing/` + device + `/` + quantity | the device reports, but not this quantity |
/// | `fault/` + device | payloads that cannot be read |
/// | `fault/` + device + `/` + quantity | values that water cannot have |
/// | `connection/` + server | the connection to the server is lost |
/// | `hub/storage` | the hub cannot store anything |
/// | `test` | the test button |
///
/// As JSON it is that text.
public enum AlertKey: Hashable, Sendable {
    /// A value outside its limits, on one side.
    case value(DeviceID, Quantity, Limits.Deviation)
    /// Missing values: of one quantity, or of the whole device if the quantity is nil.
    case missing(DeviceID, Quantity?)
    /// Impossible values: of one quantity, or unreadable payloads if the quantity is nil.
    case fault(DeviceID, Quantity?)
    /// A lost connection to a server.
    case connection(ServerID)
    /// A problem of the hub itself.
    case hub(HubComponent)
    /// A test alert.
    case test

    /// Reads a key; nil for any other text, and for an identifier that is not in canonical form.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 4, let key = Self.read(parts), key.text == text else { return nil }
        self = key
    }

    /// The text of the key; at most 64 bytes of ASCII.
    public var text: String {
        switch self {
        case .value(let device, let quantity, let side): "value/\(device)/\(quantity.rawValue)/\(side.rawValue)"
        case .missing(let device, let quantity): "missing/\(device)" + Self.suffix(quantity)
        case .fault(let device, let quantity): "fault/\(device)" + Self.suffix(quantity)
        case .connection(let server): "connection/\(server)"
        case .hub(let part): "hub/\(part.rawValue)"
        case .test: "test"
        }
    }

    /// The kind of condition that the alert reports.
    public var condition: AlertCondition {
        switch self {
        case .value: .value
        case .missing: .missing
        case .fault: .fault
        case .connection: .connection
        case .hub: .hub
        case .test: .test
        }
    }

    /// The device, nil for a connection, the hub and a test.
    public var deviceID: DeviceID? {
        switch self {
        case .value(let device, _, _), .missing(let device, _), .fault(let device, _): device
        case .connection, .hub, .test: nil
        }
    }

    /// The quantity, nil if the alert is not about a single one.
    public var quantity: Quantity? {
        switch self {
        case .value(_, let quantity, _): quantity
        case .missing(_, let quantity), .fault(_, let quantity): quantity
        case .connection, .hub, .test: nil
        }
    }

    /// The side on which the value left its limits, nil unless it is about a value.
    public var side: Limits.Deviation? {
        if case .value(_, _, let side) = self { side } else { nil }
    }

    private static func suffix(_ quantity: Quantity?) -> String { quantity.map { "/\($0.rawValue)" } ?? "" }

    private static func read(_ parts: [String]) -> AlertKey? {
        switch (parts[0], parts.count) {
        case ("value", 4):
            guard let device = DeviceID(parts[1]), let quantity = Quantity(rawValue: parts[2]),
                let side = Limits.Deviation(rawValue: parts[3])
            else { return nil }
            return .value(device, quantity, side)
        case ("missing", 2): return DeviceID(parts[1]).map { .missing($0, nil) }
        case ("fault", 2): return DeviceID(parts[1]).map { .fault($0, nil) }
        case ("missing", 3), ("fault", 3):
            guard let device = DeviceID(parts[1]), let quantity = Quantity(rawValue: parts[2]) else { return nil }
            return parts[0] == "missing" ? .missing(device, quantity) : .fault(device, quantity)
        case ("connection", 2): return ServerID(parts[1]).map { .connection($0) }
        case ("hub", 2): return HubComponent(rawValue: parts[1]).map { .hub($0) }
        case ("test", 1): return .test
        default: return nil
        }
    }
}

/// The part of a hub that has a problem.
public enum HubComponent: String, CaseIterable, Codable, Sendable {
    /// The storage of readings, alerts and the configuration on disk.
    case storage
}

/// The kinds of conditions that can raise an alert; each has its own switch, except the hub's problems and the
/// test.
public enum AlertCondition: String, CaseIterable, Codable, Sendable {
    /// A value is outside its limits.
    case value
    /// Values are missing, from the device or of one quantity.
    case missing
    /// Values are impossible: the probe is faulty.
    case fault
    /// The connection to a server is lost.
    case connection
    /// The hub itself has a problem.
    case hub
    /// Somebody pressed the test button.
    case test
}

extension AlertKey: Comparable {
    /// Whether the left key sorts first: by its text.
    public static func < (left: AlertKey, right: AlertKey) -> Bool { left.text < right.text }
}

extension AlertKey: Codable {
    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let key = AlertKey(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the key of an alert: \(Excerpt(text))")
        }
        self = key
    }
}
