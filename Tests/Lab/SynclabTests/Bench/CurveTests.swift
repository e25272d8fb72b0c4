import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import synclab

/// Costs at growing sizes, and their pictures.
@Suite struct CurveTests {
    private func curve(_ values: [Double]) -> Curve {
        var curve = Curve(name: "cells", size: "cells")
        for (index, value) in values.enumerated() {
            curve.add([Measured("a < b", "µs", value), Measured("flat", "B", 7)], at: 100 * (index + 1))
        }
        return curve
    }

    @Test(
        arguments: [
            ([1, 2, 2.1], 300), ([4, 1, 2, 3], 400), ([1, 2, 2], nil), ([5], nil), ([], nil),
        ] as [([Double], Int?)])
    func `a line bends at the first size that costs more than twice the least before`(values: [Double], bend: Int?) {
        let curve = curve(values)
        #expect(curve.lines.first?.bend == bend)
        #expect(curve.lines.last?.bend == nil)
    }

    @Test func `a picture has a line for each measurement, in order, and escapes words`() throws {
        let svg = CurveDrawing(curve([1, 2, 4])).svg
        let lines = svg.split(separator: "\n").filter { $0.hasPrefix("<polyline") }
        #expect(lines.count == 2)
        let places = lines.map { line in
            line.split(separator: "\"")[1].split(separator: " ").map {
                $0.split(separator: ",").compactMap { Double($0) }
            }
        }
        let (steep, flat) = (places[0], places[1])
        #expect(steep.map { $0[0] } == flat.map { $0[0] })
        #expect(zip(steep, steep.dropFirst()).allSatisfy { $0[0] < $1[0] && $0[1] > $1[1] }, "to the right and up")
        #expect(Set(flat.map { $0[1] }).count == 1)
        #expect(steep[0] == flat[0], "all begin at one place")
        #expect(svg.contains(">a &lt; b<") && !svg.contains("a < b"))
        #expect(svg.contains("1 µs, bends at 300") && svg.contains("7 B, does not bend"))
    }

    @Test func `curves are measured and drawn into a folder`() async throws {
        let folder = try TemporaryFolder()
        let (end, lines) = try await Program.run(
            ["bench", "curves", "--quick", "--largest", "1000", "--out", folder.url.path], in: folder,
            program: Program.laboratory)
        #expect(end == .exited(0), "\(lines)")
        for name in ["watches", "devices", "cells", "history"] {
            #expect(lines.contains { $0.hasPrefix("\(name): what depends on the number of") }, "\(lines)")
            #expect(try String(contentsOfFile: folder.path("curve-\(name).svg"), encoding: .utf8).contains("<polyline"))
        }
        let missing = try await Program.run(
            ["bench", "curves", "--only", "cats"], in: folder, program: Program.laboratory)
        #expect(missing.end != .exited(0))
        #expect(missing.lines.contains { $0.contains("there is no subject \"cats\", only: watches, devices, cells") })
    }
}
