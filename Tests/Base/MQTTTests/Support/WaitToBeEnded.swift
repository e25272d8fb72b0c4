import Foundation

/// Waits for the end of this process, which another thread or process brings about.
func waitToBeEnded() -> Never {
    while true { pause() }
}
