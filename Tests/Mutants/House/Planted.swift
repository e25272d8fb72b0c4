#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The fault that is planted in this process and in those that it starts; only the copy that `.ci/mutants house` makes has
/// it.
enum Planted {
    private static let name = unsafe getenv("PLANTED_FAULT").map { unsafe String(cString: $0) }

    /// Whether it is this one.
    static func isOn(_ fault: String) -> Bool { name == fault }
}
