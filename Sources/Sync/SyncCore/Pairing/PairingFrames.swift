/// The body of PAIR: a watch with an invitation says which key will identify it.
struct PairRequest: Hashable, Sendable {
    /// A random number that ties the answer to this request.
    var nonce: UInt64
    /// The watch's own public key.
    var key: PeerKey
    /// The name of the watch, for people; 1…64 bytes.
    var name: String
    /// The application that the watch is a part of; nil from a watch that names none.
    var app: AppName?

    static let nameByteCounts = 1...64

    init(nonce: UInt64, key: PeerKey, name: String, app: AppName? = nil) {
        self.nonce = nonce
        self.key = key
        self.name = name
        self.app = app
    }

    var frame: Frame {
        var members: [(String, JSONValue)] = [
            ("nonce", .hexadecimal(nonce)), ("key", .string(key.hexadecimal)), ("name", .string(name)),
        ]
        if let app { members.append(("app", .string(app.text))) }
        return Frame(kind: .pair, session: 0, body: JSONValue.members(JSONMembers(members)).encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        nonce = try reader.hexadecimal("nonce")
        key = try reader.peerKey("key")
        name = try reader.text("name", byteCountMax: Self.nameByteCounts.upperBound)
        guard !name.isEmpty else { throw .body("name: expected 1…64 bytes") }
        app = try reader.appName()
    }
}

/// The body of PAIRED: the hub has paired the watch, durably.
struct PairAnswer: Hashable, Sendable {
    /// The nonce of the request that this answers.
    var nonce: UInt64
    /// The name that the hub uses for the watch: the requested one, with a number after it if necessary; up to 128
    /// bytes.
    var name: String

    init(nonce: UInt64, name: String) {
        self.nonce = nonce
        self.name = name
    }

    var frame: Frame {
        let body = JSONValue.members(["nonce": .hexadecimal(nonce), "name": .string(name)])
        return Frame(kind: .paired, session: 0, body: body.encoded)
    }

    init(_ frame: Frame) throws(FrameError) {
        let reader = try BodyReader(frame)
        nonce = try reader.hexadecimal("nonce")
        name = HiddenCharacter.replaced(in: try reader.text("name", byteCountMax: 128))
    }
}
