/// The encoded contents of the frames that carry the registers' newest values.
///
/// They are the same for all watches that are sent the same values, and are made once: only the header of a frame is
/// made for each watch.
struct RegisterContents: Sendable {
    /// The body and the blob of one frame.
    struct Content: Sendable {
        let kind: FrameKind
        /// The number of values before it, by which its sequence exceeds that of the first value.
        let offset: UInt64
        let body: [UInt8]
        let blob: [UInt8]
    }

    /// A value as it stands in a frame.
    private struct Entry: Sendable {
        var order: UInt64
        /// The body of a REGISTER, and the epoch for which it was made.
        var single: (epoch: Epoch, body: [UInt8])?
        /// The member in a REGISTERS.
        var member: [UInt8]?
    }

    /// The frames for some values in turn.
    private struct Batch: Sendable {
        let places: [Int]
        let contents: [Content]
    }

    /// The most batches that are kept at a time: watches that read at the same speed need the same ones.
    private static let batchCountMax = 16

    /// The entries by place in the table.
    private var entries: [Entry?] = []
    private var batches: [Batch] = []
    private var oldestBatch = 0
    /// The state of the table, and the epoch, for which the batches were made.
    private var batchesAreFor: (changeCount: UInt64, epoch: Epoch)?

    /// The contents of the frames for some values, each in a frame of its own.
    mutating func singles(of places: [Int], in table: RegisterTable, epoch: Epoch) -> [Content] {
        places.enumerated().map { single($1, in: table, epoch: epoch, offset: $0) }
    }

    /// The contents of as few frames as possible for some values.
    mutating func batch(of places: [Int], in table: RegisterTable, epoch: Epoch) -> [Content] {
        guard places.count > 1 else { return singles(of: places, in: table, epoch: epoch) }
        if batchesAreFor ?? (0, epoch) != (table.changeCount, epoch) {
            batches = []
            oldestBatch = 0
            batchesAreFor = (table.changeCount, epoch)
        }
        if let known = batches.first(where: { $0.places == places }) { return known.contents }
        let batch = Batch(places: places, contents: encode(places, in: table, epoch: epoch))
        if batches.count < Self.batchCountMax {
            batches.append(batch)
        } else {
            batches[oldestBatch] = batch
            oldestBatch = (oldestBatch + 1) % Self.batchCountMax
        }
        return batch.contents
    }

    private mutating func encode(_ places: [Int], in table: RegisterTable, epoch: Epoch) -> [Content] {
        let frame = RegisterBatch.frame(epoch: epoch)
        let room = RegisterBatch.byteCountMax - frame.beginning.count - frame.end.count
        var contents: [Content] = []
        var start = 0
        while start < places.count {
            var end = start
            var byteCount = 0
            while end < places.count {
                let comma = end == start ? 0 : 1
                let more = comma + member(places[end], in: table).count + table[places[end]].value.count
                guard byteCount + more <= room else { break }
                byteCount += more
                end += 1
            }
            if end - start <= 1 {
                contents.append(single(places[start], in: table, epoch: epoch, offset: start))
                start += 1
                continue
            }
            var (body, blob) = (frame.beginning, [UInt8]())
            for place in places[start..<end] {
                if body.count > frame.beginning.count { body.append(UInt8(ascii: ",")) }
                body += member(place, in: table)
                blob += table[place].value
            }
            body += frame.end
            contents.append(Content(kind: .registers, offset: UInt64(start), body: body, blob: blob))
            start = end
        }
        return contents
    }

    private mutating func single(_ place: Int, in table: RegisterTable, epoch: Epoch, offset: Int) -> Content {
        let register = table[place]
        var entry = entry(place, order: register.order)
        let body: [UInt8]
        if let single = entry.single, single.epoch == epoch {
            body = single.body
        } else {
            body = register.body(epoch: epoch)
            entry.single = (epoch, body)
            entries[place] = entry
        }
        return Content(kind: .register, offset: UInt64(offset), body: body, blob: register.value)
    }

    private mutating func member(_ place: Int, in table: RegisterTable) -> [UInt8] {
        let register = table[place]
        var entry = entry(place, order: register.order)
        if let member = entry.member { return member }
        let member = RegisterBatch.member(of: register)
        entry.member = member
        entries[place] = entry
        return member
    }

    private mutating func entry(_ place: Int, order: UInt64) -> Entry {
        while entries.count <= place { entries.append(nil) }
        if let entry = entries[place], entry.order == order { return entry }
        let entry = Entry(order: order)
        entries[place] = entry
        return entry
    }
}
