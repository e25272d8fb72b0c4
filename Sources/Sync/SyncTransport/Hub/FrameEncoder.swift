import SyncCore

/// Computes the checksums of frames, and caches those of the last registers' contents, because the same contents are
/// sent to each watch.
struct FrameEncoder {
    private struct Content {
        var body: [UInt8]
        var blob: [UInt8]
        var checksum: UInt32
    }

    /// The number of cached contents: in a burst of a few registers, each is sent to all watches in turn.
    private static let placeCount = 16
    /// The least bytes of contents for which the cache is worth while.
    private static let byteCountMin = 128

    private var contents: [Content] = []
    private var nextPlace = 0
    private var lastPlace = 0

    /// The parts of the message for a frame.
    mutating func parts(of frame: Frame) -> [[UInt8]] {
        FrameCodec.parts(of: frame, contentChecksum: contentChecksum(of: frame))
    }

    /// The checksum of a frame's body and blob.
    mutating func contentChecksum(of frame: Frame) -> UInt32 {
        guard frame.kind.isShared, frame.body.count + frame.blob.count >= Self.byteCountMin else {
            return FrameCodec.contentChecksum(of: frame)
        }
        // The engine encodes a value once for all watches, so equal contents are the same array, and the comparison
        // is fast. A value is sent to one watch after the other, so it is usually the same as the last time.
        func isKnown(_ content: Content) -> Bool { content.body == frame.body && content.blob == frame.blob }
        if contents.indices.contains(lastPlace), isKnown(contents[lastPlace]) { return contents[lastPlace].checksum }
        if let place = contents.firstIndex(where: isKnown) {
            lastPlace = place
            return contents[place].checksum
        }
        let checksum = FrameCodec.contentChecksum(of: frame)
        let content = Content(body: frame.body, blob: frame.blob, checksum: checksum)
        if contents.count < Self.placeCount {
            lastPlace = contents.count
            contents.append(content)
        } else {
            contents[nextPlace] = content
            lastPlace = nextPlace
            nextPlace = (nextPlace + 1) % Self.placeCount
        }
        return checksum
    }
}

extension FrameKind {
    /// Whether the same contents usually go to all watches.
    fileprivate var isShared: Bool { self == .register || self == .registers }
}
