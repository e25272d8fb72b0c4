import Foundation
import WatchConnectivity

/// Something that arrived and waits for the app.
struct Arrival: Sendable {
    enum Content: Sendable {
        case event(Packet)
        case file(Packet, URL)
    }

    var content: Content
    /// Its number in the store; nil if it could not be stored.
    var number: UInt64?

    var packet: Packet {
        switch content {
        case .event(let packet), .file(let packet, _): packet
        }
    }
}

/// Takes in what arrives, before the session counts it as taken.
struct Arrivals: Sendable {
    var store: CompanionStore
    var folder: InboxFolder
    var notice: @Sendable (String) -> Void

    /// Takes in an event, or a file with what is known of it.
    ///
    /// Called on the session's queue; it is durable when this returns.
    ///
    /// - Returns: Nil if it arrived before, or is of no use.
    func take(_ packet: Packet, _ file: URL?, from device: String) -> Arrival? {
        guard packet.kind == (file == nil ? .event : .file), let id = packet.id else {
            notice("something arrived that is neither an event nor a file")
            return nil
        }
        do {
            let name = try file.map { try folder.take($0, id: id) }
            let content = try content(packet, name)
            do {
                let item = Inbox.Item(version: packet.version, body: Data(packet.body), id: Data(id), file: name)
                guard let number = try store.add(item, from: device) else {
                    // The file of the first arrival has the same name, and may be the app's already.
                    return nil
                }
                return Arrival(content: content, number: number)
            } catch {
                notice("what arrived is lost if the process ends now: \(error)")
                return Arrival(content: content, number: nil)
            }
        } catch {
            notice("a file that arrived is lost: \(error)")
            return nil
        }
    }

    /// What an earlier run took in, and its app did not take.
    func waiting(from device: String) -> [Arrival] {
        store.waiting(from: device).compactMap { number, item in
            let packet = Packet(
                item.file == nil ? .event : .file, version: item.version, body: Array(item.body), id: Array(item.id))
            do {
                return Arrival(content: try content(packet, item.file), number: number)
            } catch {
                notice("a file that arrived is gone from the inbox folder: \(error)")
                return nil
            }
        }
    }

    private func content(_ packet: Packet, _ name: String?) throws(CompanionError) -> Arrival.Content {
        guard let name else { return .event(packet) }
        guard let place = folder.place(of: name) else { throw .noFile(path: name) }
        return .file(packet, place)
    }
}
