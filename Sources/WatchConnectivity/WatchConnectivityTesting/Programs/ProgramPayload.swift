import Foundation

/// The payloads of a program's apps: each contains the number of its request, by which it is recognized.
enum ProgramPayload {
    static func dictionary(
        _ number: Int, _ content: SessionProgram.Content, _ kind: ProgramLog.Kind
    ) -> [String: Any] {
        let limit = kind == .context ? 262_144 : 65_536
        switch content {
        case .small: return ["n": number]
        case .large: return ["n": number, "pad": pad(number, limit - 1000)]
        case .tooLarge: return ["n": number, "pad": pad(number, limit + 1)]
        case .unsupported: return ["n": number, "list": [["bad": NSNull()]]]
        }
    }

    static func data(_ number: Int, _ content: SessionProgram.Content) -> Data {
        let head = Data((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
        switch content {
        case .small, .unsupported: return head
        case .large: return head + pad(number, 65_536 - 8)
        case .tooLarge: return head + pad(number, 65_536)
        }
    }

    private static func pad(_ number: Int, _ count: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: number), count: count)
    }

    static func file(_ number: Int, _ byteCount: Int) -> Data {
        Data((0..<byteCount).map { UInt8(truncatingIfNeeded: number &+ $0 &* 31) })
    }

    // MARK: - Received payloads

    static func number(of dictionary: [String: Any]) -> Int? { dictionary["n"] as? Int }

    static func arrival(_ dictionary: [String: Any], _ kind: ProgramLog.Kind) -> ProgramLog.Arrival {
        let number = number(of: dictionary) ?? 0
        let padding = dictionary["pad"] as? Data
        let isIntact = dictionary.count == (padding == nil ? 1 : 2) && isPad(padding ?? Data(), number)
        return ProgramLog.Arrival(number: number, kind: kind, isIntact: isIntact)
    }

    static func arrival(_ data: Data) -> ProgramLog.Arrival {
        let number = data.prefix(8).reduce(0) { $0 << 8 | Int($1) }
        return ProgramLog.Arrival(number: number, kind: .message, isIntact: isPad(data.dropFirst(8), number))
    }

    private static func isPad(_ data: Data, _ number: Int) -> Bool {
        data == pad(number, data.count)
    }

    /// The name of a file, which includes its size in bytes.
    static func fileName(_ number: Int, _ byteCount: Int) -> String { "\(number)-\(byteCount).bin" }

    static func number(ofFile url: URL) -> Int? { numbers(ofFile: url).first }

    private static func numbers(ofFile url: URL) -> [Int] {
        url.deletingPathExtension().lastPathComponent.split(separator: "-").compactMap { Int($0) }
    }

    static func arrival(_ url: URL, _ metadata: [String: Any]?) -> ProgramLog.Arrival {
        let number = number(ofFile: url) ?? 0
        let content = FileManager.default.contents(atPath: url.path)
        let isIntact =
            content.map { [number, $0.count] == numbers(ofFile: url) && $0 == file(number, $0.count) } ?? false
        let isOwn = metadata == nil || metadata?["n"] as? Int == number
        return ProgramLog.Arrival(number: number, kind: .file, isIntact: isIntact && isOwn)
    }
}
