import Primitives
import Testing

@Suite struct SplitMix64Tests {
    @Test func `the generator gives the published numbers`() {
        var generator = SplitMix64(seed: 0)
        #expect(generator.next() == 0xE220_A839_7B1D_CDAF)
        #expect(generator.next() == 0x6E78_9E6A_A1B9_65F4)
    }

    @Test func `streams of one seed are apart`() {
        let root = SplitMix64(seed: 5)
        var first = root.stream(1)
        var second = root.stream(2)
        var again = root.stream(1)
        let value = first.next()
        #expect(value != second.next())
        #expect(value == again.next())
    }
}
