import SyncCore

/// Frames that wait a moment, so that those of one connection go out one behind the other.
///
/// Some registers that change together go to all watches: register by register, each watch's connection would wake for
/// one message at a time, and write each to the system by itself. The order within a connection stays as it is; between
/// connections there is none.
struct HeldFrames {
    private struct Queue {
        let connection: ConnectionID
        let first: Int
        var last: Int
    }

    private struct Held {
        let frame: Frame
        /// The place of the next frame of the same connection, -1 behind the last one.
        var next = -1
    }

    private var queues: [Queue] = []
    private var frames: [Held] = []
    /// The place of each connection's queue.
    private var places: [ConnectionID: Int] = [:]
    private var lastPlace = -1

    /// The frames that wait.
    var count: Int { frames.count }

    /// Whether none waits.
    var isEmpty: Bool { frames.isEmpty }

    /// Puts a frame behind the others of its connection.
    mutating func append(_ frame: Frame, to connection: ConnectionID) {
        frames.append(Held(frame: frame))
        guard let place = place(of: connection) else {
            lastPlace = queues.count
            places[connection] = lastPlace
            return queues.append(Queue(connection: connection, first: frames.count - 1, last: frames.count - 1))
        }
        lastPlace = place
        frames[queues[place].last].next = frames.count - 1
        queues[place].last = frames.count - 1
    }

    /// The place of a connection's queue, nil if none of its frames waits.
    private func place(of connection: ConnectionID) -> Int? {
        // Each register goes to the watches in the same order.
        let next = lastPlace + 1 < queues.count ? lastPlace + 1 : 0
        if next < queues.count, queues[next].connection == connection { return next }
        return places[connection]
    }

    /// Goes through all frames, connection by connection.
    func visit<Failure: Error>(_ body: (Frame, ConnectionID) throws(Failure) -> Void) throws(Failure) {
        for queue in queues {
            var position = queue.first
            while position >= 0 {
                try body(frames[position].frame, queue.connection)
                position = frames[position].next
            }
        }
    }
}
