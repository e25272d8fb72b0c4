import Testing
import Text

@testable import Commands

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("10m", .seconds(600)), ("1h30m", .seconds(5400)),
        ("2d", .seconds(172_800)), ("1.5s", .milliseconds(1500)), ("90", .seconds(90)), ("0", .zero),
        ("0.25", .milliseconds(250)), ("2min", .seconds(120)), ("3652d12h", .seconds(315_576_000)),
        ("1,5h", .seconds(5400)),
    ])
    func `a duration is read as people write it`(text: String, duration: Duration) {
        #expect(DurationText.duration(text) == duration)
    }

    @Test(arguments: [
        "", "s", "10x", "-5s", "+5s", "5 s", "1h30", "10s5", ".5s", "5.s", "1..5s", "1,.5s", ",5s", "5S", "1e3s", "nan",
        "inf", "٣s",
        "3653d", "3652d12h1ms", "99999999999999999999d",
    ])
    func `anything else is no duration`(text: String) {
        #expect(DurationText.duration(text) == nil)
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.milliseconds(1), "1ms"), (.seconds(600), "10m"), (.seconds(5400), "1h30m"),
        (.milliseconds(90_061_001), "1d1h1m1s1ms"),
    ])
    func `a duration is written in the shortest way and reads the same`(duration: Duration, text: String) {
        #expect(DurationText.text(duration) == text)
        #expect(DurationText.duration(text) == duration)
    }
}
