import Testing

@testable import Text

@Suite struct NearMissTests {
    @Test(arguments: [("", "", 0), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "", 3), ("kitten", "sitting", 3)])
    func `the distance is the number of edits`(left: String, right: String, distance: Int) {
        #expect(NearMiss.distance(left, right) == distance)
        #expect(NearMiss.distance(right, left) == distance)
    }

    @Test func `only a near candidate is offered`() {
        #expect(NearMiss.nearest(to: "hub.lisen", in: ["hub.listen", "watch.name"]) == "hub.listen")
        #expect(NearMiss.nearest(to: "something", in: ["hub.listen", "watch.name"]) == nil)
        #expect(NearMiss.nearest(to: "x", in: []) == nil)
        #expect(NearMiss.nearest(to: "LAGON", in: ["Spa", "Lagoon"]) == "Lagoon")
        #expect(NearMiss.nearest(to: "Tub", in: ["Spa", "Tab"]) == "Tab")
        #expect(NearMiss.nearest(to: "Spa", in: ["Tub"]) == nil)
    }
}
