import PoolModel
import Testing

@testable import TerminalUI

struct ThemeTests {
    @Test
    func `the palettes are the ones that were measured`() {
        let dark = Theme(.dark)
        #expect(Status.allCases.map { dark.ink($0).rgb } == [0x46C8F5, 0xFFCC4D, 0xFF6673, 0x7C8A9A].map(RGB.init))
        #expect(Status.allCases.map { dark.ink($0).paletteIndex } == [81, 220, 204, 245])
        #expect(Status.allCases.map { dark.ink($0).ansi } == [14, 11, 9, 8])
        let darkInks = [dark.text, dark.secondaryText, dark.tertiaryText, dark.track, dark.line, dark.panel]
        #expect(darkInks.map(\.rgb) == [0xF2F6FA, 0x9FB0C3, 0x7A8DA3, 0x2A3B50, 0x26364B, 0x111A27].map(RGB.init))
        #expect([dark.background, dark.accent, dark.bannerInk].map(\.rgb) == [0, 0x5EEAD4, 0x14060A].map(RGB.init))

        let light = Theme(.light)
        #expect(Status.allCases.map { light.ink($0).rgb } == [0x006FB0, 0x856600, 0x9C114B, 0x5B6B7B].map(RGB.init))
        let lightInks = [light.text, light.secondaryText, light.tertiaryText, light.track, light.line, light.panel]
        #expect(lightInks.map(\.rgb) == [0x0E1B29, 0x43566A, 0x586A7E, 0xCFDAE4, 0xC3D0DC, 0xEAF0F5].map(RGB.init))
        #expect([light.accent, light.bannerInk].map(\.rgb) == [0x0F766E, 0xFFFFFF].map(RGB.init))
    }

    @Test(arguments: Theme.Appearance.allCases)
    func `everything that is read is readable on the background`(appearance: Theme.Appearance) throws {
        let theme = Theme(appearance)
        let background = try #require(theme.background.rgb)
        let read = [theme.text, theme.secondaryText, theme.tertiaryText, theme.accent] + Status.allCases.map(theme.ink)
        for ink in read {
            let rgb = try #require(ink.rgb)
            #expect(ColorMath.contrast(rgb, background) >= 4.5, "\(rgb)")
        }
    }

    @Test
    func `contrasts are what the palette promises`() throws {
        func contrasts(_ theme: Theme, on background: UInt32) -> [Double] {
            (Status.allCases.map(theme.ink) + [theme.tertiaryText]).map { ink in
                let contrast = ink.rgb.map { ColorMath.contrast($0, RGB(background)) } ?? 0
                return (contrast * 10).rounded() / 10
            }
        }
        #expect(contrasts(Theme(.dark), on: 0x000000) == [10.8, 14.0, 7.4, 6.0, 6.2])
        #expect(contrasts(Theme(.dark), on: 0x0B111B) == [9.8, 12.6, 6.7, 5.4, 5.6])
        #expect(contrasts(Theme(.light), on: 0xF7FAFC) == [5.1, 5.1, 7.7, 5.2, 5.3])
    }

    @Test
    func `a banner is readable in every colour that it comes in`() throws {
        for (appearance, least) in [(Theme.Appearance.dark, 7.0), (.light, 5.4)] {
            let theme = Theme(appearance)
            let ink = try #require(theme.bannerInk.rgb)
            for status in [Status.normal, .warning, .critical] {
                let rgb = try #require(theme.ink(status).rgb)
                let contrast = (ColorMath.contrast(ink, rgb) * 10).rounded() / 10
                #expect(contrast >= least, "\(appearance) \(status)")
            }
        }
    }

    @Test(arguments: [(Theme.Appearance.dark, 17.6), (.light, 11.2)])
    func `no two statuses look alike, whatever colours the eye can tell`(
        appearance: Theme.Appearance, least: Double
    ) throws {
        let theme = Theme(appearance)
        let inks = try Status.allCases.map { try #require(theme.ink($0).rgb) }
        var closest = Double.infinity
        for vision in ColorMath.Vision.allCases {
            for (index, one) in inks.enumerated() {
                for other in inks[..<index] {
                    closest = min(closest, ColorMath.difference(one, other, vision: vision))
                }
            }
        }
        #expect((closest * 10).rounded() / 10 == least)
    }

    @Test
    func `dimming keeps the hue and recedes`() throws {
        for appearance in Theme.Appearance.allCases {
            let (bright, dim) = (Theme(appearance), Theme(appearance, isDim: true))
            let background = try #require(bright.background.rgb)
            for (one, other) in [
                (bright.text, dim.text), (bright.ink(.normal), dim.ink(.normal)),
                (bright.ink(.critical), dim.ink(.critical)), (bright.track, dim.track),
            ] {
                let (before, after) = (try #require(one.rgb), try #require(other.rgb))
                // On a light screen most colours have no contrast to spare, so they stay.
                let isSpare = appearance == .dark || one == bright.text || one == bright.track
                let (now, then) = (ColorMath.contrast(after, background), ColorMath.contrast(before, background))
                #expect(isSpare ? now < then : now <= then)
            }
            // With 16 colours, a dimmed colour is another colour of the 16.
            #expect(appearance == .light || dim.ink(.normal).ansi == 6 && dim.text.ansi == 7)
            let alarm = try #require(dim.ink(.critical).rgb)
            #expect(ColorMath.contrast(alarm, background) >= 4.5)
        }
    }

    @Test
    func `the nearest of 256 colours is found`() {
        #expect(RGB(0x000000).nearestPaletteIndex == 16)
        #expect(RGB(0xFFFFFF).nearestPaletteIndex == 231)
        #expect(RGB(0x5FAFD7).nearestPaletteIndex == 74)
        #expect(RGB(0x808080).nearestPaletteIndex == 244)
        #expect(RGB(0xFF0000).nearestPaletteIndex == 196)
    }
}
