import TestSupport
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct NotationTests {
    @Test(
        arguments: [
            ("", []), ("ph", [.key("ph")]), ("pH.Data", [.key("pH"), .key("Data")]), ("[0]", [.index(0)]),
            ("[0].latestMeasure.ph", [.index(0), .key("latestMeasure"), .key("ph")]),
            ("a[1][2]", [.key("a"), .index(1), .index(2)]),
            (#"object["water temp"]"#, [.key("object"), .key("water temp")]), (#"["a\"b\\"]"#, [.key("a\"b\\")]),
            (#"[""]"#, [.key("")]), (#"a["b"].c"#, [.key("a"), .key("b"), .key("c")]),
            ("$state._x-1", [.key("$state"), .key("_x-1")]),
            (#"["\u0301\u0000"]"#, [.key("\u{301}\0")]), ("été", [.key("été")]),
            ("s[name=pH].x", [.key("s"), .element(key: "name", word: "pH"), .key("x")]),
            (#"["a b"="c d"]"#, [.element(key: "a b", word: "c d")]),
            ("[id=7]", [.element(key: "id", word: "7")]), ("[65535]", [.index(65535)]),
            (" ph ", [.key("ph")]),
        ] as [(String, [ValuePath.Step])])
    func `a path is read from its text, and its text from it`(text: String, steps: [ValuePath.Step]) throws {
        let path = try ValuePath(text: text)
        #expect(path == ValuePath(steps))
        #expect(try ValuePath(text: path.description) == path)
    }

    @Test(arguments: [
        (".", 0), ("a.", 2), ("a..b", 2), ("a b", 2), ("[", 1), ("[x]", 1), ("[x=]", 3), ("[7=]", 3), ("[x=a b]", 4),
        ("[0", 2), ("[-0]", 1), ("[65536]", 1),
        (#"["a]"#, 1), (#"["a\q"]"#, 1), ("a.°", 2), ("[0]x", 3), ("a,b", 1), ("[99999999999999999999]", 1),
    ])
    func `what is no path says at which character`(text: String, offset: Int) throws {
        let error = #expect(throws: NotationError.self) { try ValuePath(text: text) }
        #expect(error?.offset == offset)
        #expect(error?.description.isEmpty == false)
    }

    @Test(
        arguments: [
            ("ph=ph", ValueSource(.ph, path: .keys("ph"))),
            ("ph=~/ph/state", ValueSource(.ph, topic: "~/ph/state")),
            ("ph=~", ValueSource(.ph)),
            ("orp=NeoPool.Redox.Data*1mV", ValueSource(.orp, path: .keys("NeoPool", "Redox", "Data"))),
            (
                "temperature=~/Meas1#Tmp*0.01",
                ValueSource(.temperature, topic: "~/Meas1", path: .keys("Tmp"), scale: 0.01)
            ),
            ("temperature=temp F", ValueSource(.temperature, path: .keys("temp"), unit: .fahrenheit)),
            ("temperature=t-1 -0.5 °F", ValueSource(.temperature, path: .keys("t-1"), offset: -0.5, unit: .fahrenheit)),
            ("temperature=t*1e-1-3", ValueSource(.temperature, path: .keys("t"), scale: 0.1, offset: -3)),
            ("ph=a/b+1", ValueSource(.ph, topic: "a/b", offset: 1)),
            ("ph=a/+/b#x.y", ValueSource(.ph, topic: "a/+/b", path: .keys("x", "y"))),
            ("ph=a/##x", ValueSource(.ph, topic: "a/#", path: .keys("x"))),
            ("ph=a/#", ValueSource(.ph, topic: "a/#")),
            ("ph=/a", ValueSource(.ph, topic: "/a")),
            ("ph=tele#x", ValueSource(.ph, topic: "tele", path: .keys("x"))),
            (##"ph="my pool/p*h"#["p h"] * 2"##, ValueSource(.ph, topic: "my pool/p*h", path: .keys("p h"), scale: 2)),
            (
                "orp = x not -999,0 if isValid!=false if a.b=ok|\"so so\"",
                ValueSource(
                    .orp, path: .keys("x"), sentinels: [-999, 0],
                    conditions: [
                        PayloadCondition(.keys("isValid"), isNoneOf: ["false"]),
                        PayloadCondition(.keys("a", "b"), isOneOf: ["ok", "so so"]),
                    ])
            ),
            (
                "temperature=t.v °F unit t.u not 0",
                ValueSource(
                    .temperature, path: .keys("t", "v"), unit: .fahrenheit, unitPlace: UnitPlace(path: .keys("t", "u")),
                    sentinels: [0])
            ),
            (
                "temperature=~/t unit ~/t/unit",
                ValueSource(
                    .temperature, topic: "~/t", path: .whole, unitPlace: UnitPlace(topic: "~/t/unit", path: .whole))
            ),
        ] as [(String, ValueSource)])
    func `a value is read from its notation, and its notation from it`(notation: String, source: ValueSource) throws {
        #expect(try ValueSource(notation: notation) == source)
        #expect(try ValueSource(notation: source.notation) == source, "\(source.notation)")
    }

    @Test(arguments: [
        ("", 0, "one of the quantities"), ("salt=x", 0, "one of the quantities"), ("ph", 2, "= after"),
        ("ph=", 3, "a path"), ("ph=x*", 5, "a number after *"), ("ph=x*0.1.2", 8, "a unit"),
        ("ph=x+", 5, "a number after +"), ("ph=x mV", 5, "a unit of ph, pH"), ("temperature=x F,", 14, "a unit"),
        ("ph=a/b#", 7, "a path after the #"), ("ph=~/a#b/c", 8, "a unit"), ("ph=#x", 3, "a topic"),
        ("ph=x if", 7, "=, !=, >"), ("ph=x if a", 9, "=, !=, >"), ("ph=x if a=", 10, "a word"),
        ("ph=x not", 8, "a number after not"), ("ph=x pH then", 8, "not, if or the end"), ("ph=\"a", 3, "no partner"),
        ("ph=a+b/c", 5, "a number after +"), ("ph=x unit", 9, "a path"), ("ph=x unit u unit w", 12, "unit PLACE once"),
    ])
    func `what is no notation says at which character and what must stand there`(
        notation: String, offset: Int, words: String
    ) throws {
        let error = #expect(throws: NotationError.self) { try ValueSource(notation: notation) }
        #expect(error?.offset == offset)
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test(
        arguments: [
            ("last_seen", TimeSource(path: .keys("last_seen"))),
            (
                "~/ph/attributes#timestamp iso8601",
                TimeSource(topic: "~/ph/attributes", path: .keys("timestamp"), form: .iso8601)
            ),
            ("~/at seconds", TimeSource(topic: "~/at", path: .whole, form: .seconds)),
        ] as [(String, TimeSource)])
    func `a time is read from its notation, and its notation from it`(notation: String, source: TimeSource) throws {
        #expect(try TimeSource(notation: notation) == source)
        #expect(source.notation == notation)
        #expect(throws: NotationError.self) { try TimeSource(notation: notation + " weeks") }
    }

    @Test(
        arguments: [
            ("~/status", AvailabilitySource(topic: "~/status")),
            (
                "~/../LWT#a online=Up|\"up again\" offline=Down",
                AvailabilitySource(topic: "~/../LWT", path: .keys("a"), online: ["Up", "up again"], offline: ["Down"])
            ),
            ("~ offline=unavailable", AvailabilitySource(topic: "~", online: [], offline: ["unavailable"])),
        ] as [(String, AvailabilitySource)])
    func `an availability is read from its notation, and its notation from it`(
        notation: String, source: AvailabilitySource
    ) throws {
        #expect(try AvailabilitySource(notation: notation) == source)
        #expect(source.notation == notation)
        #expect(throws: NotationError.self) { try AvailabilitySource(notation: notation + " maybe=x") }
    }

    @Test func `every value of every profile has a notation that gives it again`() throws {
        for profile in BuiltInProfile.all {
            for var source in profile.mapping?.values ?? [] {
                source.time = nil
                #expect(try ValueSource(notation: source.notation) == source, "\(source.notation)")
            }
            for source in profile.mapping?.availability ?? [] {
                #expect(try AvailabilitySource(notation: source.notation) == source, "\(source.notation)")
            }
        }
    }

    @Test func `twenty thousand random texts are read or refused within themselves`() {
        var generator = SplitMix64(seed: 7)
        let letters = Array("ph=temperature~/#[]\".*+-01 e|if!not\\uF°\u{301}".unicodeScalars)
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int(generator.next() % 12) {
                text.unicodeScalars.append(letters[Int(generator.next() % UInt64(letters.count))])
            }
            do throws(NotationError) {
                let path = try ValuePath(text: text)
                if (try? ValuePath(text: "\(path)")) != path { Issue.record("\(path) is not \(text)") }
            } catch {
                if !(0...text.unicodeScalars.count).contains(error.offset) { Issue.record("\(error)") }
            }
            do throws(NotationError) {
                let source = try ValueSource(notation: "ph=" + text)
                if (try? ValueSource(notation: source.notation)) != source { Issue.record("\(text): \(source)") }
            } catch {
                if !(0...text.unicodeScalars.count + 3).contains(error.offset) { Issue.record("\(error)") }
            }
        }
    }

    @Test(arguments: [
        "Time local", "Time Europe/Paris", "~/at iso8601 local", "at automatic", "at",
    ])
    func `a zone stands behind the form of a time`(text: String) throws {
        let source = try TimeSource(notation: text)
        #expect(source.notation == text.replacing(" automatic", with: ""))
        let mapping = DeviceMapping(values: [ValueSource(.ph)], time: source)
        let bytes = CanonicalJSON.bytes(ofEncodable: mapping)
        #expect(try CanonicalJSON.decode(DeviceMapping.self, from: bytes) == mapping)
    }

    @Test func `a zone that nobody knows is refused where it stands`() throws {
        let error = #expect(throws: NotationError.self) { try TimeSource(notation: "at Europe/Pariss") }
        #expect(error?.offset == 3)
        #expect(error?.description.contains("such as Europe/Paris, found \"Europe/Pariss\"") == true)
    }

    @Test(arguments: [
        "~/info#uptime online>0", "~/rssi online>=-90 offline<-90", "~/x online<=5 online=ok|up", "~/x offline<1.50",
    ])
    func `an availability by a number is read and written`(text: String) throws {
        let source = try AvailabilitySource(notation: text)
        #expect(source.notation == text)
        try DeviceMapping(values: [ValueSource(.ph)], availability: [source]).validate()
    }

    @Test(arguments: ["ph=ph if rpm>=1200", "ph=ph if a.b<0 if c!=3", "ph=ph if mode=auto|on"])
    func `a condition by a number is read and written`(text: String) throws {
        #expect(try ValueSource(notation: text).notation == text)
    }

    @Test func `a comparison without its number is refused where it stands`() throws {
        let error = #expect(throws: NotationError.self) { try AvailabilitySource(notation: "~/x online>high") }
        #expect(error?.offset == 11)
        #expect(error?.description.contains("a number after >") == true)
    }
}
