extension FrameKind {
    /// The most bytes of a body of this kind; it is checked before the body is read.
    ///
    /// The largest legal body of each kind fits: texts count six bytes for each byte, the length of an escape. Small
    /// kinds also have room for additions by later versions.
    public var bodyByteCountMax: Int {
        switch self {
        case .hello, .ping, .pong, .bye, .pair, .paired, .register, .message, .reply, .contextAcknowledged, .item,
            .itemAcknowledged, .offer, .pull, .chunk, .done:
            4096
        // 1024 missing numbers.
        case .credit: 20_480
        // Two texts of 1024 bytes.
        case .refuse, .messageError, .abort: 16_384
        // Without values, or with empty ones, the body alone has all bytes that such a frame may have.
        case .registers: RegisterBatch.byteCountMax
        // A receipt with 1025 outcomes.
        case .welcome, .context: 131_072
        // One edit of 16 cells, each with 2048 new bytes and 2048 bytes that its author saw.
        case .upload: 458_752
        }
    }
}
