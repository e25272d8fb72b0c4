import Foundation
import TerminalUI

/// The colour metrics for testing the palette.
enum ColorMath {
    /// A kind of colour vision.
    enum Vision: CaseIterable {
        case normal
        case deuteranopia
        case protanopia
        case tritanopia

        /// Machado, Oliveira and Fernandes 2009, severity 1, for linear sRGB.
        var matrix: [[Double]] {
            switch self {
            case .normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
            case .protanopia:
                [
                    [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                    [-0.003882, -0.048116, 1.051998],
                ]
            case .deuteranopia:
                [
                    [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                    [-0.011820, 0.042940, 0.968881],
                ]
            case .tritanopia:
                [
                    [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                    [0.004733, 0.691367, 0.303900],
                ]
            }
        }
    }

    /// The contrast ratio of WCAG 2, 1…21.
    static func contrast(_ one: RGB, _ other: RGB) -> Double {
        let (first, second) = (luminance(one), luminance(other))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    /// The difference of two colours by CIEDE2000, for a kind of colour vision.
    static func difference(_ one: RGB, _ other: RGB, vision: Vision) -> Double {
        ciede2000(lab(seen(one, vision)), lab(seen(other, vision)))
    }

    private static func linear(_ rgb: RGB) -> [Double] {
        [rgb.red, rgb.green, rgb.blue].map { part in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
    }

    private static func luminance(_ rgb: RGB) -> Double {
        let parts = linear(rgb)
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    private static func seen(_ rgb: RGB, _ vision: Vision) -> [Double] {
        let parts = linear(rgb)
        return vision.matrix.map { row in
            min(1, max(0, row[0] * parts[0] + row[1] * parts[1] + row[2] * parts[2]))
        }
    }

    private static func lab(_ rgb: [Double]) -> (l: Double, a: Double, b: Double) {
        let white = [0.95047, 1, 1.08883]
        let matrix = [
            [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041],
        ]
        let f = (0..<3).map { index in
            let row = matrix[index]
            let value = (row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]) / white[index]
            return value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
        }
        return (116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]))
    }

    /// Sharma, Wu and Dalal 2005, with all weights 1.
    private static func ciede2000(
        _ one: (l: Double, a: Double, b: Double), _ two: (l: Double, a: Double, b: Double)
    ) -> Double {
        let meanC = (hypot(one.a, one.b) + hypot(two.a, two.b)) / 2
        let g = 0.5 * (1 - sqrt(pow(meanC, 7) / (pow(meanC, 7) + pow(25, 7))))
        let (a1, a2) = (one.a * (1 + g), two.a * (1 + g))
        let (c1, c2) = (hypot(a1, one.b), hypot(a2, two.b))
        func hue(_ a: Double, _ b: Double) -> Double {
            if a == 0, b == 0 { return 0 }
            let degrees = atan2(b, a) * 180 / .pi
            return degrees < 0 ? degrees + 360 : degrees
        }
        let (h1, h2) = (hue(a1, one.b), hue(a2, two.b))
        var dh = c1 * c2 == 0 ? 0 : h2 - h1
        if dh > 180 { dh -= 360 } else if dh < -180 { dh += 360 }
        let (dl, dc) = (two.l - one.l, c2 - c1)
        let dH = 2 * sqrt(c1 * c2) * sin(dh / 2 * .pi / 180)
        let (meanL, mean) = ((one.l + two.l) / 2, (c1 + c2) / 2)
        var meanH = h1 + h2
        if c1 * c2 != 0 {
            meanH = abs(h1 - h2) <= 180 ? meanH / 2 : meanH < 360 ? (meanH + 360) / 2 : (meanH - 360) / 2
        }
        func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
        let t =
            1 - 0.17 * cosine(meanH - 30) + 0.24 * cosine(2 * meanH) + 0.32 * cosine(3 * meanH + 6) - 0.2
            * cosine(4 * meanH - 63)
        let sl = 1 + 0.015 * pow(meanL - 50, 2) / sqrt(20 + pow(meanL - 50, 2))
        let (sc, sh) = (1 + 0.045 * mean, 1 + 0.015 * mean * t)
        let rotation = 30 * exp(-pow((meanH - 275) / 25, 2))
        let rt = -2 * sqrt(pow(mean, 7) / (pow(mean, 7) + pow(25, 7))) * sin(2 * rotation * .pi / 180)
        return sqrt(pow(dl / sl, 2) + pow(dc / sc, 2) + pow(dH / sh, 2) + rt * (dc / sc) * (dH / sh))
    }
}
