/// Whether stamps are what the wall clocks show, which may jump (I13).
///
/// That is no fault which the checks may find.
package enum RawClocks {
    /// Whether it is so in this task or on this thread.
    @TaskLocal package static var areOn = false
}
