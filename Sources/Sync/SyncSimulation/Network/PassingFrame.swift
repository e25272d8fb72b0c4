package import SyncCore

/// A frame that a side has sent, or that has come to it.
package struct PassingFrame {
    package let frame: Frame
    package let side: Side
    package let isSent: Bool
    package let time: Instant
}
