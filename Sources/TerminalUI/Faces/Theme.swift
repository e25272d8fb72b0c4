public import PoolModel

/// The colours of every screen.
///
/// Blue, amber, red and grey stay apart in all three kinds of colour blindness (CIEDE2000 of at least 11 between
/// any two), and each is readable on the background (WCAG contrast of at least 4.5).
public struct Theme: Hashable, Sendable {
    /// Light on dark or dark on light.
    public enum Appearance: String, CaseIterable, Sendable {
        /// Light text on black.
        case dark
        /// Dark text on white.
        case light

        /// The appearance that suits a terminal which tells its colours in `COLORFGBG`, as rxvt, Konsole and others do;
        /// else dark.
        ///
        /// The variable is `foreground;background` in numbers of the 16 colours; white and the bright ones but grey are
        /// light backgrounds.
        public init(environment: [String: String]) {
            let background = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
            self = background == 7 || (9...15).contains(background ?? 0) ? .light : .dark
        }
    }

    /// Whether light or dark.
    public let appearance: Appearance
    /// Whether the colours recede, as on a watch whose arm hangs down.
    public let isDim: Bool

    let background: Ink
    let panel: Ink
    let line: Ink
    let track: Ink
    let text: Ink
    let secondaryText: Ink
    let tertiaryText: Ink
    let accent: Ink
    let bannerInk: Ink
    private let normal: Ink
    private let warning: Ink
    private let critical: Ink
    private let offline: Ink

    /// Creates the theme of an appearance.
    public init(_ appearance: Appearance = .dark, isDim: Bool = false) {
        let palette = appearance == .dark ? Palette.dark : Palette.light
        func ink(_ ink: Ink, dimmedTo strength: Double) -> Ink {
            isDim ? ink.dimmed(to: strength, on: palette.background) : ink
        }
        self.appearance = appearance
        self.isDim = isDim
        background = palette.background
        panel = palette.panel
        bannerInk = palette.bannerInk
        line = ink(palette.line, dimmedTo: 0.5)
        track = ink(palette.track, dimmedTo: 0.55)
        text = ink(palette.text, dimmedTo: 0.65)
        secondaryText = ink(palette.secondaryText, dimmedTo: 0.62)
        tertiaryText = ink(palette.tertiaryText, dimmedTo: 0.65)
        accent = ink(palette.accent, dimmedTo: 0.5)
        normal = ink(palette.normal, dimmedTo: 0.5)
        warning = ink(palette.warning, dimmedTo: 0.7)
        critical = ink(palette.critical, dimmedTo: 0.78)
        offline = ink(palette.offline, dimmedTo: 0.6)
    }

    /// The ink of a status.
    public func ink(_ status: Status) -> Ink {
        switch status {
        case .normal: normal
        case .warning: warning
        case .critical: critical
        case .offline: offline
        }
    }

    /// The ink of a status, mixed into the background; strength 1 is the ink itself, 0 the background.
    func tint(_ status: Status, _ strength: Double) -> Ink {
        var tint = background.mixed(with: ink(status), amount: strength)
        if appearance == .dark, !isDim { tint.indexed = Self.indexedTint(status, strength) }
        switch status {
        case .normal: tint.ansi = 6
        case .warning: tint.ansi = 3
        case .critical: tint.ansi = 1
        case .offline: tint.ansi = 8
        }
        return tint
    }

    /// Picked by eye: the nearest entries of the palette jump between hues from one tint to the next.
    private static func indexedTint(_ status: Status, _ strength: Double) -> UInt8 {
        switch status {
        case .normal: strength < 0.4 ? 23 : strength < 0.7 ? 24 : 38
        case .warning: strength < 0.4 ? 58 : strength < 0.7 ? 136 : 178
        case .critical: strength < 0.4 ? 52 : strength < 0.7 ? 131 : 167
        case .offline: strength < 0.4 ? 236 : strength < 0.7 ? 240 : 243
        }
    }
}

/// The colours by their roles; the numbers of the 16-colour palette suit the usual background of each.
private struct Palette {
    var background: Ink
    var panel: Ink
    var line: Ink
    var track: Ink
    var text: Ink
    var secondaryText: Ink
    var tertiaryText: Ink
    var accent: Ink
    var bannerInk: Ink
    var normal: Ink
    var warning: Ink
    var critical: Ink
    var offline: Ink

    static let dark = Palette(
        background: Ink(rgb: RGB(0x000000), ansi: 0),
        panel: Ink(rgb: RGB(0x111A27), ansi: 8),
        line: Ink(rgb: RGB(0x26364B), ansi: 8),
        track: Ink(rgb: RGB(0x2A3B50), ansi: 8),
        text: Ink(rgb: RGB(0xF2F6FA), ansi: 15),
        secondaryText: Ink(rgb: RGB(0x9FB0C3), ansi: 7),
        tertiaryText: Ink(rgb: RGB(0x7A8DA3), indexed: 246, ansi: 8),
        accent: Ink(rgb: RGB(0x5EEAD4), ansi: 14),
        bannerInk: Ink(rgb: RGB(0x14060A), ansi: 0),
        normal: Ink(rgb: RGB(0x46C8F5), indexed: 81, ansi: 14),
        warning: Ink(rgb: RGB(0xFFCC4D), indexed: 220, ansi: 11),
        critical: Ink(rgb: RGB(0xFF6673), indexed: 204, ansi: 9),
        offline: Ink(rgb: RGB(0x7C8A9A), indexed: 245, ansi: 8))

    static let light = Palette(
        background: Ink(rgb: RGB(0xF7FAFC), ansi: 15),
        panel: Ink(rgb: RGB(0xEAF0F5), ansi: 7),
        line: Ink(rgb: RGB(0xC3D0DC), ansi: 7),
        track: Ink(rgb: RGB(0xCFDAE4), ansi: 7),
        text: Ink(rgb: RGB(0x0E1B29), ansi: 0),
        secondaryText: Ink(rgb: RGB(0x43566A), ansi: 8),
        tertiaryText: Ink(rgb: RGB(0x5F7286), ansi: 8),
        accent: Ink(rgb: RGB(0x0F766E), ansi: 6),
        bannerInk: Ink(rgb: RGB(0xFFFFFF), ansi: 15),
        normal: Ink(rgb: RGB(0x006FB0), ansi: 4),
        warning: Ink(rgb: RGB(0x856600), ansi: 3),
        critical: Ink(rgb: RGB(0x9C114B), ansi: 1),
        offline: Ink(rgb: RGB(0x5B6B7B), ansi: 8))
}

extension Ink {
    /// The ink as it looks when the screen is dimmed; of 16 colours the bright ones become the plain ones.
    fileprivate func dimmed(to strength: Double, on background: Ink) -> Ink {
        var dimmed = background.mixed(with: self, amount: strength)
        dimmed.ansi = ansi.map { $0 == 15 ? 7 : $0 == 7 ? 8 : $0 > 8 ? $0 - 8 : $0 }
        return dimmed
    }
}
