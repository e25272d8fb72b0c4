package import SyncCore

/// A frame that a side has sent or received.
package struct PassingFrame {
    package let frame: Frame
    package let side: Side
    package let isSent: Bool
    package let time: Instant

    package init(frame: Frame, side: Side, isSent: Bool, time: Instant) {
        self.frame = frame
        self.side = side
        self.isSent = isSent
        self.time = time
    }
}
