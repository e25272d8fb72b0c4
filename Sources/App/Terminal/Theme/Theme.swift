public import Text

/// The colours of every screen.
///
/// Blue, amber, red and grey stay distinguishable in all three kinds of colour blindness (CIEDE2000 of at least 11
/// between any two). Text has a WCAG contrast of at least 4.5 on every background, also when the colours are dimmed, in
/// 24 bits and in the palette of 256.
public struct Theme: Hashable, Sendable {
    /// Light on dark or dark on light.
    public enum Appearance: String, CaseIterable, Sendable {
        /// Light text on black.
        case dark
        /// Dark text on white.
        case light
    }

    /// Whether light or dark.
    public let appearance: Appearance
    /// Whether the colours are dimmed, as on a watch when the arm is down.
    public let isDim: Bool

    package let background: AdaptiveColor
    package let panel: AdaptiveColor
    package let line: AdaptiveColor
    package let track: AdaptiveColor
    package let text: AdaptiveColor
    package let secondaryText: AdaptiveColor
    package let tertiaryText: AdaptiveColor
    package let accent: AdaptiveColor
    package let bannerInk: AdaptiveColor
    private let normal: AdaptiveColor
    private let warning: AdaptiveColor
    private let critical: AdaptiveColor
    private let offline: AdaptiveColor

    /// Creates the theme of an appearance.
    public init(_ appearance: Appearance = .dark, isDim: Bool = false) {
        let palette = appearance == .dark ? Palette.dark : Palette.light
        func ink(_ ink: AdaptiveColor, dimmedTo strength: Double) -> AdaptiveColor {
            isDim && strength < 1 ? ink.dimmed(to: strength, on: palette.background) : ink
        }
        let strength = appearance == .dark ? DimStrength.dark : DimStrength.light
        self.appearance = appearance
        self.isDim = isDim
        background = palette.background
        panel = palette.panel
        bannerInk = palette.bannerInk
        line = ink(palette.line, dimmedTo: 0.5)
        track = ink(palette.track, dimmedTo: 0.55)
        text = ink(palette.text, dimmedTo: strength.text)
        secondaryText = ink(palette.secondaryText, dimmedTo: strength.secondaryText)
        tertiaryText = palette.tertiaryText
        accent = ink(palette.accent, dimmedTo: strength.accent)
        normal = ink(palette.normal, dimmedTo: strength.normal)
        warning = ink(palette.warning, dimmedTo: strength.warning)
        critical = ink(palette.critical, dimmedTo: strength.critical)
        offline = palette.offline
    }

    /// The ink of a status.
    public func ink(_ status: Status) -> AdaptiveColor {
        switch status {
        case .normal: normal
        case .warning: warning
        case .critical: critical
        case .offline: offline
        }
    }

    /// The ink of a status, mixed into the background; strength 1 is the ink itself, 0 the background.
    ///
    /// It is for shapes; for letters use `legibleTint`.
    package func tint(_ status: Status, _ strength: Double) -> AdaptiveColor {
        var tint = background.mixed(with: ink(status), amount: isDim ? strength * 0.7 : strength)
        if appearance == .dark, !isDim { tint.indexed = Self.indexedTint(status, strength) }
        switch status {
        case .normal: tint.ansi = 6
        case .warning: tint.ansi = 3
        case .critical: tint.ansi = 1
        case .offline: tint.ansi = 8
        }
        return tint
    }

    /// A tint for letters, only as strong as it stays readable: the inks of light and of dim screens cannot be tinted
    /// further.
    package func legibleTint(_ status: Status, _ strength: Double) -> AdaptiveColor {
        appearance == .dark && !isDim ? tint(status, max(0.75, strength)) : ink(status)
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

/// How much of an ink is left in dimmed colours: as little as is still readable.
///
/// Inks that are hardly readable are not dimmed, and on light screens nearly none is.
private struct DimStrength {
    var text = 0.65
    var secondaryText: Double
    var accent: Double
    var normal: Double
    var warning: Double
    var critical: Double

    static let dark = DimStrength(secondaryText: 0.76, accent: 0.7, normal: 0.72, warning: 0.7, critical: 0.86)
    static let light = DimStrength(secondaryText: 0.88, accent: 1, normal: 1, warning: 1, critical: 0.88)
}

/// The colours by their roles; the numbers of the 16-colour palette suit the usual background of each.
private struct Palette {
    var background: AdaptiveColor
    var panel: AdaptiveColor
    var line: AdaptiveColor
    var track: AdaptiveColor
    var text: AdaptiveColor
    var secondaryText: AdaptiveColor
    var tertiaryText: AdaptiveColor
    var accent: AdaptiveColor
    var bannerInk: AdaptiveColor
    var normal: AdaptiveColor
    var warning: AdaptiveColor
    var critical: AdaptiveColor
    var offline: AdaptiveColor

    static let dark = Palette(
        background: AdaptiveColor(rgb: RGB(0x000000), ansi: 0),
        panel: AdaptiveColor(rgb: RGB(0x111A27), ansi: 8),
        line: AdaptiveColor(rgb: RGB(0x26364B), ansi: 8),
        track: AdaptiveColor(rgb: RGB(0x2A3B50), ansi: 8),
        text: AdaptiveColor(rgb: RGB(0xF2F6FA), ansi: 15),
        secondaryText: AdaptiveColor(rgb: RGB(0x9FB0C3), ansi: 7),
        tertiaryText: AdaptiveColor(rgb: RGB(0x7A8DA3), indexed: 246, ansi: 8),
        accent: AdaptiveColor(rgb: RGB(0x5EEAD4), ansi: 14),
        bannerInk: AdaptiveColor(rgb: RGB(0x14060A), ansi: 0),
        normal: AdaptiveColor(rgb: RGB(0x46C8F5), indexed: 81, ansi: 14),
        warning: AdaptiveColor(rgb: RGB(0xFFCC4D), indexed: 220, ansi: 11),
        critical: AdaptiveColor(rgb: RGB(0xFF6673), indexed: 204, ansi: 9),
        offline: AdaptiveColor(rgb: RGB(0x7C8A9A), indexed: 245, ansi: 8))

    static let light = Palette(
        background: AdaptiveColor(rgb: RGB(0xF7FAFC), ansi: 15),
        panel: AdaptiveColor(rgb: RGB(0xEAF0F5), ansi: 7),
        line: AdaptiveColor(rgb: RGB(0xC3D0DC), ansi: 7),
        track: AdaptiveColor(rgb: RGB(0xCFDAE4), ansi: 7),
        text: AdaptiveColor(rgb: RGB(0x0E1B29), ansi: 0),
        secondaryText: AdaptiveColor(rgb: RGB(0x43566A), ansi: 8),
        tertiaryText: AdaptiveColor(rgb: RGB(0x586A7E), ansi: 8),
        accent: AdaptiveColor(rgb: RGB(0x0F766E), indexed: 23, ansi: 6),
        bannerInk: AdaptiveColor(rgb: RGB(0xFFFFFF), ansi: 15),
        normal: AdaptiveColor(rgb: RGB(0x006FB0), ansi: 4),
        warning: AdaptiveColor(rgb: RGB(0x856600), ansi: 3),
        critical: AdaptiveColor(rgb: RGB(0x9C114B), ansi: 1),
        offline: AdaptiveColor(rgb: RGB(0x5B6B7B), ansi: 8))
}

extension AdaptiveColor {
    /// The ink on a dimmed screen.
    ///
    /// Of the 16 colours, the bright ones become plain ones if those are readable on the palettes of most terminals:
    /// red and grey do not.
    fileprivate func dimmed(to strength: Double, on background: AdaptiveColor) -> AdaptiveColor {
        var dimmed = background.mixed(with: self, amount: strength)
        dimmed.ansi = ansi.map { [15: 7, 14: 6, 11: 3][$0] ?? $0 }
        return dimmed
    }
}
