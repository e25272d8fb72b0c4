/// Reads the members of a frame's body; its errors name a missing or malformed member.
struct BodyReader {
    private let document: JSONDocument
    /// The position of the value being read, among the document's places.
    private let position: Int

    /// Reads the body of a frame.
    init(_ frame: Frame) throws(FrameError) {
        do {
            document = try JSONDocument(frame.body)
        } catch {
            throw .body("not canonical JSON: \(error)")
        }
        position = 0
    }

    private init(_ document: JSONDocument, at position: Int) {
        self.document = document
        self.position = position
    }

    func text(_ name: String, byteCountMax: Int = 1024) throws(FrameError) -> String {
        guard let text = member(name).flatMap({ document.text(at: $0) }) else { throw missing(name, "a string") }
        guard text.utf8.count <= byteCountMax else { throw missing(name, "at most \(byteCountMax) bytes") }
        return text
    }

    func textOrNull(_ name: String, byteCountMax: Int) throws(FrameError) -> String? {
        isNull(name) ? nil : try text(name, byteCountMax: byteCountMax)
    }

    /// The application that the sender names; nil if it names none, as before applications had names.
    func appName() throws(FrameError) -> AppName? {
        guard member("app") != nil, !isNull("app") else { return nil }
        guard let name = AppName(try text("app", byteCountMax: 64)) else {
            throw missing("app", "1…64 of a…z, 0…9 and full stops")
        }
        return name
    }

    func hexadecimal(_ name: String) throws(FrameError) -> UInt64 {
        guard let number = member(name).flatMap({ document.hexadecimal(at: $0) }) else {
            throw missing(name, "16 hexadecimal digits")
        }
        return number
    }

    func hexadecimalOrNull(_ name: String) throws(FrameError) -> UInt64? {
        isNull(name) ? nil : try hexadecimal(name)
    }

    func identifier(_ name: String) throws(FrameError) -> RandomID {
        guard let halves = member(name).flatMap({ document.hexadecimalPair(at: $0) }) else {
            throw missing(name, "32 hexadecimal digits")
        }
        return RandomID(high: halves.high, low: halves.low)
    }

    /// A list of identifiers.
    func identifiers(_ name: String) throws(FrameError) -> [RandomID] {
        let places = elements(name)
        let halves = places?.compactMap { document.hexadecimalPair(at: $0) }
        guard let halves, halves.count == places?.count else {
            throw missing(name, "a list of 32 hexadecimal digits each")
        }
        return halves.map { RandomID(high: $0.high, low: $0.low) }
    }

    func peerKey(_ name: String) throws(FrameError) -> PeerKey {
        guard let bytes = member(name).flatMap({ document.hexadecimalBytes(at: $0) }), let key = PeerKey(bytes: bytes)
        else { throw missing(name, "64 hexadecimal digits") }
        return key
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(FrameError) -> Int64 {
        guard let number = member(name).flatMap({ document.integer(at: $0) }), range.contains(number) else {
            throw missing(name, "a whole number in \(range)")
        }
        return number
    }

    func range(_ name: String) throws(FrameError) -> ClosedRange<UInt32> {
        guard let bounds = elements(name)?.map({ document.integer(at: $0).flatMap { UInt32(exactly: $0) } }),
            bounds.count == 2, let lower = bounds[0], let upper = bounds[1], lower <= upper
        else { throw missing(name, "two whole numbers in ascending order") }
        return lower...upper
    }

    func hexadecimals(_ name: String, countMax: Int) throws(FrameError) -> [UInt64] {
        guard let elements = elements(name), elements.count <= countMax else {
            throw missing(name, "a list of at most \(countMax)")
        }
        let numbers = elements.compactMap { document.hexadecimal(at: $0) }
        guard numbers.count == elements.count else { throw missing(name, "a list of 16 hexadecimal digits each") }
        return numbers
    }

    func object(_ name: String) throws(FrameError) -> BodyReader {
        guard let position = member(name), document.places[position].kind == .object else {
            throw missing(name, "an object")
        }
        return BodyReader(document, at: position)
    }

    func objectOrNull(_ name: String) throws(FrameError) -> BodyReader? {
        isNull(name) ? nil : try object(name)
    }

    /// An object that earlier versions of the protocol do not have; nil if it is missing or null.
    func objectIfPresent(_ name: String) throws(FrameError) -> BodyReader? {
        member(name) == nil ? nil : try objectOrNull(name)
    }

    /// Whether a member is there and is 1; earlier versions of the protocol do not have it.
    func flagIfPresent(_ name: String) throws(FrameError) -> Bool {
        member(name) == nil ? false : try integer(name, in: 0...1) == 1
    }

    func objects(_ name: String) throws(FrameError) -> [BodyReader] {
        guard let elements = elements(name) else { throw missing(name, "a list") }
        return elements.map { BodyReader(document, at: $0) }
    }

    private func member(_ name: String) -> Int? { document.member(name, of: position) }

    private func elements(_ name: String) -> [Int]? { member(name).flatMap { document.elements(of: $0) } }

    private func isNull(_ name: String) -> Bool { member(name).map { document.places[$0].kind == .null } ?? false }

    private func missing(_ name: String, _ expected: String) -> FrameError {
        .body("\(document.path(to: position))\(name): expected \(expected)")
    }
}
