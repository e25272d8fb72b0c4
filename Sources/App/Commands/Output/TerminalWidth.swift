import Foundation

/// The width of the terminal.
package enum TerminalWidth {
    /// The columns; 80 if the width is not known.
    package static var columns: Int {
        var size = winsize()
        // The call only fills the structure that it is given.
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 10 else { return 80 }
        return Int(size.ws_col)
    }
}
