/// Reads the members of a frame's body and names what is missing or of a wrong form.
struct BodyReader {
    private let value: JSONValue
    private let path: String

    /// Reads the body of a frame.
    init(_ frame: Frame) throws(FrameFault) {
        do {
            value = try JSONValue(decoding: frame.body)
        } catch {
            throw .body("not canonical JSON: \(error)")
        }
        path = ""
    }

    private init(_ value: JSONValue, path: String) {
        self.value = value
        self.path = path
    }

    func text(_ name: String, byteCountMax: Int = 1024) throws(FrameFault) -> String {
        guard let text = value[name]?.string else { throw missing(name, "a string") }
        guard text.utf8.count <= byteCountMax else { throw missing(name, "at most \(byteCountMax) bytes") }
        return text
    }

    func textOrNull(_ name: String, byteCountMax: Int) throws(FrameFault) -> String? {
        value[name] == .null ? nil : try text(name, byteCountMax: byteCountMax)
    }

    func hexadecimal(_ name: String) throws(FrameFault) -> UInt64 {
        guard let number = value[name]?.hexadecimal else { throw missing(name, "16 hexadecimal digits") }
        return number
    }

    func hexadecimalOrNull(_ name: String) throws(FrameFault) -> UInt64? {
        value[name] == .null ? nil : try hexadecimal(name)
    }

    func identifier(_ name: String) throws(FrameFault) -> RandomID {
        guard let identifier = value[name]?.string.flatMap({ RandomID(hexadecimal: $0) }) else {
            throw missing(name, "32 hexadecimal digits")
        }
        return identifier
    }

    func peerKey(_ name: String) throws(FrameFault) -> PeerKey {
        guard let key = value[name]?.string.flatMap({ PeerKey(hexadecimal: $0) }) else {
            throw missing(name, "64 hexadecimal digits")
        }
        return key
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(FrameFault) -> Int64 {
        guard let number = value[name]?.integer, range.contains(number) else {
            throw missing(name, "a whole number in \(range)")
        }
        return number
    }

    func range(_ name: String) throws(FrameFault) -> ClosedRange<UInt32> {
        guard let bounds = value[name]?.array?.compactMap(\.integer), bounds.count == 2, bounds[0] <= bounds[1],
            let lower = UInt32(exactly: bounds[0]), let upper = UInt32(exactly: bounds[1])
        else { throw missing(name, "two whole numbers in ascending order") }
        return lower...upper
    }

    func hexadecimals(_ name: String, countMax: Int) throws(FrameFault) -> [UInt64] {
        guard let elements = value[name]?.array, elements.count <= countMax else {
            throw missing(name, "a list of at most \(countMax)")
        }
        let numbers = elements.compactMap(\.hexadecimal)
        guard numbers.count == elements.count else { throw missing(name, "a list of 16 hexadecimal digits each") }
        return numbers
    }

    func object(_ name: String) throws(FrameFault) -> BodyReader {
        guard let member = value[name], case .object = member else { throw missing(name, "an object") }
        return BodyReader(member, path: path + name + ".")
    }

    func objectOrNull(_ name: String) throws(FrameFault) -> BodyReader? {
        value[name] == .null ? nil : try object(name)
    }

    func objects(_ name: String) throws(FrameFault) -> [BodyReader] {
        guard let elements = value[name]?.array else { throw missing(name, "a list") }
        return elements.enumerated().map { BodyReader($1, path: "\(path)\(name)[\($0)].") }
    }

    private func missing(_ name: String, _ expected: String) -> FrameFault {
        .body("\(path)\(name): expected \(expected)")
    }
}
