extension Span<UInt8> {
    /// The number that starts at an offset, most significant byte first.
    @inline(__always)
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number {
        // The load checks its range, and any bit pattern is a valid number.
        Number(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }
}
