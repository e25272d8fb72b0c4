/// The messages of a run that are not the engine's.
enum LoadMark {
    /// The first message of a bare watch; the bare hub answers with the same.
    static let hello: [UInt8] = [1]
    /// The last message of a flood; on the engine's side the value of the last register.
    static let end: [UInt8] = [2]
    /// The register that ends a flood.
    static let endKey = "end"
    /// A question for the bare hub, which returns every message; as large as the engine's ping.
    static let question = [UInt8](repeating: 3, count: 40)
    /// The payload of a live message and of its reply; on the bare side it is the whole message.
    static let message = [UInt8](repeating: 4, count: 200)
    /// The bytes of header and body of a register of the engine, for a bare message in as many parts.
    static let frameByteCounts = (header: 40, body: 80)
}
