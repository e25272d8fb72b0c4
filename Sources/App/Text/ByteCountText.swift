/// Formats numbers of bytes for people.
public enum ByteCountText {
    /// A number of bytes in a suitable unit: `9999 bytes`, `12 kB`, `34 MB`.
    public static func of(_ count: UInt64) -> String {
        switch count {
        case 1: "1 byte"
        case ..<10_000: "\(count) bytes"
        case ..<10_000_000: "\(count / 1000) kB"
        default: "\(count / 1_000_000) MB"
        }
    }
}
