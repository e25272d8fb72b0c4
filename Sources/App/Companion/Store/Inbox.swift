import Foundation
import Primitives
import Text

/// What arrived and is not taken yet, from each device in order; and what arrived lately, so that nothing arrives twice.
struct Inbox: Sendable {
    /// The identities of the last arrivals from one device that are remembered.
    static let rememberedCount = 256

    /// Something that arrived.
    struct Item: Hashable, Codable, Sendable {
        /// The sender's version of the app's types.
        var version: Int
        /// The body: an event, or what is known of a file.
        var body: Data
        /// The identity that the sender gave to it.
        var id: Data
        /// The name of the file in the inbox folder; nil for an event.
        var file: String?

        enum CodingKeys: String, CodingKey {
            case version = "v"
            case body = "b"
            case id = "i"
            case file = "f"
        }
    }

    /// A change for the storage.
    typealias Change = (key: String, value: [UInt8]?)

    private static let prefix = "inbox/"
    private static let lastPrefix = "last/"

    private struct Mailbox: Sendable {
        var items: [(number: UInt64, item: Item)] = []
        var last: [[UInt8]] = []
        var next: UInt64 = 1
    }

    private var mailboxes: [String: Mailbox] = [:]

    /// Reads the inbox from a storage's map.
    init(_ map: [String: [UInt8]]) {
        for (key, value) in map {
            if key.hasPrefix(Self.lastPrefix) {
                let last = stride(from: 0, to: value.count, by: 16).map { Array(value[$0..<min($0 + 16, value.count)]) }
                mailboxes[String(key.dropFirst(Self.lastPrefix.count)), default: Mailbox()].last = last
            } else if key.hasPrefix(Self.prefix), let slash = key.lastIndex(of: "/") {
                let device = key[..<slash].dropFirst(Self.prefix.count)
                guard let number = Hexadecimal.number(key[key.index(after: slash)...]),
                    let item = try? CanonicalJSON.decode(Item.self, from: value)
                else { continue }
                mailboxes[String(device), default: Mailbox()].items.append((number, item))
            }
        }
        mailboxes = mailboxes.mapValues { mailbox in
            var sorted = mailbox
            sorted.items.sort { $0.number < $1.number }
            sorted.next = (sorted.items.last?.number ?? 0) + 1
            return sorted
        }
    }

    /// What waits from a device, oldest first.
    func waiting(from device: String) -> [(number: UInt64, item: Item)] { mailboxes[device]?.items ?? [] }

    /// Whether something arrived before.
    func knows(_ id: [UInt8], from device: String) -> Bool { mailboxes[device]?.last.contains(id) ?? false }

    /// Takes something in.
    ///
    /// - Returns: Its number, and the changes to store.
    mutating func add(_ item: Item, from device: String) -> (number: UInt64, changes: [Change]) {
        var mailbox = mailboxes[device] ?? Mailbox()
        let number = mailbox.next
        mailbox.next += 1
        mailbox.items.append((number, item))
        mailbox.last = mailbox.last.suffix(Self.rememberedCount - 1) + [Array(item.id)]
        mailboxes[device] = mailbox
        let bytes = CanonicalJSON.bytes(ofEncodable: item)
        return (
            number,
            [(Self.key(number, device), bytes), (Self.lastPrefix + device, mailbox.last.flatMap(\.self))]
        )
    }

    /// Removes what was taken.
    mutating func remove(_ number: UInt64, from device: String) -> [Change] {
        mailboxes[device]?.items.removeAll { $0.number == number }
        return [(Self.key(number, device), nil)]
    }

    /// Removes everything of a device that is gone.
    mutating func forget(_ device: String) -> [Change] {
        guard let mailbox = mailboxes.removeValue(forKey: device) else { return [] }
        return mailbox.items.map { (Self.key($0.number, device), nil) } + [(Self.lastPrefix + device, nil)]
    }

    /// The devices of which something is remembered.
    var devices: Set<String> { Set(mailboxes.keys) }

    private static func key(_ number: UInt64, _ device: String) -> String {
        "\(prefix)\(device)/\(Hexadecimal.text(number))"
    }
}
