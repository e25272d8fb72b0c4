import Terminal

/// A QR code in lines.
enum QRPicture {
    /// A QR code in half blocks, light modules drawn, for a dark terminal.
    static func of(_ text: String) -> String {
        guard let code = QRCode(Array(text.utf8)) else { return text }
        let zone = QRCode.quietZone
        let side = code.side + 2 * zone
        var lines: [String] = []
        for row in stride(from: 0, to: side, by: 2) {
            lines.append(
                String(
                    (0..<side).map { column -> Character in
                        let upper = !code.isDark(column - zone, row - zone)
                        let lower = row + 1 < side && !code.isDark(column - zone, row + 1 - zone)
                        return upper ? (lower ? "█" : "▀") : lower ? "▄" : " "
                    }))
        }
        return lines.joined(separator: "\n")
    }
}
