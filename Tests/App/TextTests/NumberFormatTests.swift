import Testing
import Text

struct NumberFormatTests {
    @Test(arguments: [
        (27.25, 1, "27.3"), (24.25, 1, "24.3"), (7.0, 2, "7.00"), (0.05, 2, "0.05"), (710.6, 0, "711"),
        (649.6, 0, "650"),
        (-0.04, 1, "0.0"), (-0.001, 2, "0.00"), (-0.4, 0, "0"), (-5.26, 1, "-5.3"), (-1.005, 1, "-1.0"), (0, 0, "0"),
        (9.999, 2, "10.00"), (0.000_012, 5, "0.00001"), (1e300, 1, "∞"), (-.infinity, 0, "-∞"), (.nan, 2, "–"),
    ])
    func `a number has the digits that it is given`(value: Double, decimals: Int, text: String) {
        #expect(NumberFormat.fixed(value, decimals: decimals) == text)
    }

    @Test(arguments: [(7.0, "7"), (-2.0, "-2"), (7.25, "7.25"), (0, "0"), (650, "650")])
    func `the shortest digits have no fraction of zero`(value: Double, text: String) {
        #expect(NumberFormat.shortest(value) == text)
    }

    @Test(arguments: [
        (31.45, 2, "31.45"), (31.4, 2, "31.4"), (65.0, 2, "65"), (1.999, 2, "2"), (650, 0, "650"), (0.04, 1, "0"),
    ])
    func `zeros at the end are left out`(value: Double, decimals: Int, text: String) {
        #expect(NumberFormat.shortest(value, decimals: decimals) == text)
    }
}
