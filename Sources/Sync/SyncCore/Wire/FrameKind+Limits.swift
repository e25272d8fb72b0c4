extension FrameKind {
    /// The most bytes of a body of this kind; it is looked at before the body is.
    ///
    /// The largest legal body of each kind fits: texts count six bytes a byte, since that is what an escape takes. What a
    /// later version may add to the small ones has room, too.
    public var bodyByteCountMax: Int {
        switch self {
        case .hello, .ping, .pong, .bye, .pair, .paired, .register, .message, .reply, .contextAcknowledged, .item,
            .itemAcknowledged, .offer, .pull, .chunk, .done:
            4096
        // 1024 numbers that are missing.
        case .credit: 20_480
        // Two texts of 1024 bytes.
        case .refuse, .messageError, .abort: 16_384
        // A receipt with 1025 outcomes.
        case .welcome, .context: 131_072
        // One edit of 16 cells, with 2048 bytes that are written and 2048 that were seen in each.
        case .upload: 458_752
        }
    }
}
