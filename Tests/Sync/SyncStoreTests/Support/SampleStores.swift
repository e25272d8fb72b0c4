import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// The stores of a hub and of a watch and a keyed store after a scripted run, which is always the same.
///
/// The run leaves data in each part of a state: conflicts, rejected writes, pending uploads, user info in both
/// directions, and a half-transferred file.
struct SampleStores {
    /// The folder of the three stores.
    let path: String

    /// Writes the stores into new folders.
    func write() throws {
        try writeHub()
        try writeWatch()
        let keyed = try KeyedStore(in: StateFolder(path: path + "/keyed"))
        try keyed.write([("a", [1, 2, 3]), ("b", []), ("Grüße\u{0}", [0, 255]), ("gone", [9])])
        try keyed.write([("gone", nil), ("b", [7])])
        keyed.close()
    }

    private func writeHub() throws {
        let store = try HubStore(at: path + "/hub")
        try store.file.withoutWaitingForTheDisk()
        var history = SampleHistory()
        for number in 0..<70 {
            if number == 30 { try store.commit(history.fork()) }
            try store.commit(history.next())
        }
        for peer in 1...2 {
            for record in transfers(seed: UInt64(peer)) { try store.commit(record, of: samplePeer(peer)) }
        }
        store.close()
    }

    private func writeWatch() throws {
        let store = try WatchStore(at: path + "/watch")
        try store.file.withoutWaitingForTheDisk()
        var memory = SampleMemory()
        for _ in 0..<90 { try store.write(memory.next()) }
        while memory.state.replica.pending.count < 12 { try store.write(memory.next()) }
        try store.write(transfers(seed: 3).filter { if case .files = $0 { true } else { false } })
        store.close()
    }

    /// The transfers with one peer.
    private func transfers(seed: UInt64) -> [TransferRecord] {
        var (items, files) = (SampleItems(seed: seed), SampleFiles(seed: seed))
        var records: [TransferRecord] = []
        while files.count < 60 || !files.isFull || items.state.inbox.items.isEmpty
            || items.state.outboxes.ordinary.items.isEmpty || items.state.outboxes.urgent.items.isEmpty
        {
            records.append(.exchange(Exchange.Record(number: UInt64(records.count) + 1, changes: items.next())))
            records.append(.files(files.next()))
        }
        return records
    }

    /// The contents of the stores, read through the stores.
    func text() throws -> String {
        let hub = try HubStore(at: path + "/hub")
        let transfers = try hub.transfers().sorted { $0.key < $1.key }
        var text = StateText()
        text.append("hub", try hub.load())
        for (peer, state) in transfers { text.append("hub \(peer.bytes[0])", state) }
        text.append("log", try hub.loggedTransactions(last: LoggedTransaction.countMax))
        hub.close()
        let watch = try WatchStore(at: path + "/watch")
        #expect(watch.setAside == nil)
        text.append("watch", try watch.load())
        watch.close()
        let keyed = try KeyedStore(in: StateFolder(path: path + "/keyed"))
        for (key, value) in try keyed.read().sorted(by: { $0.key < $1.key }) { text.append("keyed \(key)", value) }
        keyed.close()
        // The recorded text is older than authors, and none of these transactions names one.
        return text.text.replacing(/log\.\d+\.author = "nil"\n/, with: "")
    }
}

/// A text that is equal for two values only if they are the same: a line for each stored property without children.
struct StateText {
    private(set) var text = ""

    mutating func append(_ name: String, _ value: Any) {
        if let bytes = value as? [UInt8] {
            text += "\(name) = \(Hexadecimal.text(bytes))\n"
            return
        }
        let mirror = Mirror(reflecting: value)
        // Sets are skipped, because their order is random; a list of ids has the same members in a fixed order.
        guard !mirror.children.isEmpty, mirror.displayStyle != .set else {
            if mirror.displayStyle != .set { text += "\(name) = \(String(reflecting: String(describing: value)))\n" }
            return
        }
        for (index, child) in mirror.children.enumerated() {
            let part = child.label == "some" ? "" : ".\(child.label ?? String(index))"
            append(name + part, child.value)
        }
    }
}
