import PoolModel
import SyncCore
import Testing

@testable import PoolWatch

/// The text about the result of an accepted edit.
@Suite struct MergeResultTests {
    private static let name = cellKey(lagoon.id, "name")
    private static let limits = cellKey(lagoon.id, "limits-ph")

    /// An edit of the lagoon's name.
    private static func edit(_ name: String = #"{"name":"Big"}"#) -> Edit {
        Edit(
            id: RandomID(high: 77, low: 1),
            changes: [.init(key: Self.name, value: name, base: RandomID(high: 0, low: 1), seen: #"{"name":"Lagoon"}"#)],
            stamp: Stamp(milliseconds: 5, counter: 0, node: 1), schema: 2, resolves: nil)
    }

    private static func cell(_ value: String, dot: RandomID, revision: UInt64) -> Cell {
        let place = Cell.Place(epoch: Epoch(number: 1), revision: revision)
        return Cell(
            value: value, dot: dot, stamp: Stamp(milliseconds: 9, counter: 0, node: 2), written: place, created: place)
    }

    /// The watch's text about the edit, after a snapshot with other cells.
    private func merge(
        _ edit: Edit = edit(), cells: [CellKey: Cell] = [:], conflicts: [Conflict] = []
    ) throws -> EditOutcomeSummary? {
        var memory = WatchMemory()
        let full = try sampleConfiguration()
        _ = memory.receive(Snapshot(full, revision: 1))
        memory.accept(edit)
        var next = Snapshot(full, revision: 1)
        var table = next.cells
        table[Self.name] = Self.cell(edit.changes[0].value ?? "", dot: edit.id, revision: 2)
        for (key, cell) in cells { table[key] = cell }
        next = Snapshot(version: Version(epoch: Epoch(number: 1), revision: 2, chain: 2), cells: table)
        for conflict in conflicts { next.conflicts[conflict.id] = conflict }
        _ = memory.receive(next)
        memory.confirm([ConfirmedEdit(edit: edit)])
        return memory.outcomes.last
    }

    @Test func `an edit that met nothing is only accepted`() throws {
        let outcome = try merge()
        #expect(outcome?.kind == .accepted)
        #expect(outcome?.merge == nil)
    }

    @Test func `another cell of the record that changed too was kept, too`() throws {
        let json = #"{"criticalHigh":9,"criticalLow":5,"high":8,"low":7}"#
        let outcome = try merge(cells: [Self.limits: Self.cell(json, dot: RandomID(high: 8, low: 8), revision: 2)])
        #expect(outcome?.kind == .merged)
        #expect(outcome?.merge == #"kept both: pH limits of the device "Big" changed too"#)
    }

    @Test func `a cell of another record does not count`() throws {
        let other = cellKey(spa.id, "name")
        let cell = Self.cell(#"{"name":"Tub"}"#, dot: RandomID(high: 8, low: 8), revision: 2)
        #expect(try merge(cells: [other: cell])?.kind == .accepted)
    }

    @Test func `the same value of somebody else is said to be the same`() throws {
        let cell = Self.cell(#"{"name":"Big"}"#, dot: RandomID(high: 8, low: 8), revision: 2)
        let outcome = try merge(cells: [Self.name: cell])
        #expect(outcome?.merge == "the same was entered elsewhere: both agree")
    }

    @Test func `a value that stands aside because of it is named`() throws {
        let edit = Self.edit()
        let stamp = Stamp(milliseconds: 4, counter: 0, node: 2)
        let loser = Conflict.Side(
            value: #"{"name":"Tub"}"#, dot: RandomID(high: 6, low: 6), stamp: stamp, author: "Kitchen")
        let winner = Conflict.Side(value: edit.changes[0].value, dot: edit.id, stamp: edit.stamp, author: "wrist")
        let conflict = Conflict(
            id: loser.dot, edit: loser.dot, key: Self.name, base: nil, loser: loser, winner: winner, rule: .newest,
            place: Cell.Place(epoch: Epoch(number: 1), revision: 2))
        let outcome = try merge(conflicts: [conflict])
        #expect(outcome?.merge == #"kept yours; Kitchen had entered "Tub", see the conflicts"#)
    }

    @Test func `rules of the hub are a rejection, losing against another is a conflict`() throws {
        var memory = WatchMemory()
        _ = memory.receive(Snapshot(try sampleConfiguration(), revision: 1))
        memory.confirm([
            ConfirmedEdit(edit: Self.edit(), rule: .invalid), ConfirmedEdit(edit: Self.edit(), rule: .newest),
        ])
        #expect(memory.outcomes.map(\.kind) == [.rejected, .conflicting])
    }

    @Test func `the obstacle goes with the last edit that waits`() throws {
        var memory = WatchMemory()
        _ = memory.receive(Snapshot(try sampleConfiguration(), revision: 1))
        memory.accept(Self.edit())
        memory.uploadObstacle = Conflict.Rule.shareFull.uploadObstacle
        #expect(memory.uploadObstacle?.contains("settle some of them") == true)
        memory.confirm([ConfirmedEdit(edit: Self.edit())])
        #expect(memory.uploadObstacle == nil)
    }

    @Test func `an answer to an alert is told by the device's name, not by its key`() throws {
        let alert = AlertAnswer(
            key: .value(lagoon.id, .chlorine, .low), episodeID: AlertEpisodeID(high: 1, low: 1), isAcknowledged: false,
            snoozedUntil: Timestamp(milliseconds: 3_600_000))
        guard case .upsert(let entry) = alert.change else { return }
        let words = EditFormatter(try sampleConfiguration().entries())
        let value = String(decoding: entry.value, as: UTF8.self)
        #expect(words.subject(of: CellKey(entry.key), value: value) == #"alert "Lagoon Chlorine too low""#)
        #expect(words.value(value, of: CellKey(entry.key), at: Timestamp(milliseconds: 0)) == "quiet for 1 h")
    }

    @Test func `a restored hub is told for ten minutes`() throws {
        var memory = WatchMemory()
        let full = try sampleConfiguration()
        _ = memory.receive(Snapshot(full, revision: 3))
        memory.accept(Self.edit())
        var book = RestoreNotice()
        let start = Timestamp(milliseconds: 1_000_000)
        #expect(book.notice(of: memory, at: start) == nil)
        var restored = Snapshot(full, revision: 2)
        restored.version = Version(epoch: Epoch(number: 2), revision: 2, chain: 1)
        _ = memory.receive(restored)
        #expect(book.notice(of: memory, at: start) == "the hub was restored, 1 edit sent again")
        #expect(book.notice(of: memory, at: start.advanced(byMilliseconds: 599_999)) != nil)
        #expect(book.notice(of: memory, at: start.advanced(byMilliseconds: 600_000)) == nil)
    }
}
