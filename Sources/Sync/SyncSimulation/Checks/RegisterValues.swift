package import SyncCore

extension Frame {
    /// The values in a REGISTER or REGISTERS with their numbers, as an observer of the line can read them; none in any
    /// other frame, nor in one that does not say what its blob holds.
    ///
    /// The layout is written a second time here.
    package var registerValues: [(number: UInt64, value: [UInt8])] {
        switch kind {
        case .register: return [(sequence, blob)]
        case .registers: break
        case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .message, .reply, .messageError,
            .context, .contextAcknowledged, .upload, .item, .itemAcknowledged, .offer, .pull, .chunk, .done, .abort:
            return []
        }
        guard let members = (try? JSONValue(decoding: body))?["values"]?.array else { return [] }
        var values: [(number: UInt64, value: [UInt8])] = []
        var rest = blob[...]
        for member in members {
            guard let count = member["bytes"]?.integer.flatMap({ Int(exactly: $0) }), (0...rest.count).contains(count)
            else { return [] }
            values.append((sequence &+ UInt64(values.count), Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        return values
    }
}
