import TestSupport
import Testing
import Text

@testable import HomeAssistantMQTT

@Suite struct ValueTemplateTests {
    @Test(
        arguments: [
            ("", "", 1, 0), ("{{ value }}", "", 1, 0), ("{{value|float}}", "", 1, 0),
            ("{{ value_json.ph }}", "ph", 1, 0), ("{{value_json['NeoPool']['pH']['Data']}}", "NeoPool.pH.Data", 1, 0),
            ("{{ value_json['a'][\"b c\"] }}", #"a["b c"]"#, 1, 0), ("{{ value_json[0].temp }}", "[0].temp", 1, 0),
            ("{{- value_json.a.b.c -}}", "a.b.c", 1, 0), ("{{ value_json.tempc | is_defined }}", "tempc", 1, 0),
            ("{{ value_json.ph | float / 10 }}", "ph", 0.1, 0),
            ("{{ value_json.ph | float(0) * 0.01 }}", "ph", 0.01, 0),
            ("{{ (value_json.t | int - 32) * 5 / 9 }}", "t", 5.0 / 9, -160.0 / 9),
            ("{{ ((value | float(default=0)) / 100) | round(2) }}", "", 0.01, 0),
            ("{{ (value_json.v / 10 + 0.5) | round(1, 'floor') | default(0) }}", "v", 0.1, 0.5),
            ("{{ -value_json.x }}", "x", -1, 0), ("{{ 14 - value_json.x }}", "x", -1, 14),
            ("{{ value_json.x | multiply(0.1) | add(-2) }}", "x", 0.1, -2),
            ("{{ float(value_json.x, 0) / 2 }}", "x", 0.5, 0), ("{{ (value_json.s | first).v }}", "s[0].v", 1, 0),
            ("{{ value_json.s | last }}", "s[-1]", 1, 0), ("{{ value.split(';')[1] | float }}", "[1]", 1, 0),
            ("{{ value_json.ph | replace(',', '.') | float }}", "ph", 1, 0),
            ("{{ value_json.ph.replace(',', '.') }}", "ph", 1, 0),
            ("{{ value_json.ph | default('') }}", "ph", 1, 0),
            ("{{ value_json.ph if value_json.ph else 0 }}", "ph", 1, 0),
            ("{{ value_json.ph if value_json.ph is defined else 0 }}", "ph", 1, 0),
            ("{{ (value_json.ph if 'ph' in value_json else 0) | float / 100 }}", "ph", 0.01, 0),
            ("{{ 0 if value_json.ph is none else value_json.ph / 10 }}", "ph", 0.1, 0),
            ("{{ value if value not in ['unknown', 'unavailable'] else none }}", "", 1, 0),
            (
                "{{ value_json.a.ph if value_json.a is defined and value_json.a.ph is number else states('sensor.ph') }}",
                "a.ph", 1, 0
            ),
            ("{% if value_json.ph is defined %}{{ value_json.ph | float(0) }}{% else %}0{% endif %}", "ph", 1, 0),
            ("{% set t = value_json.t | float(0) %}{{ (t - 32) * 5 / 9 }}", "t", 5.0 / 9, -160.0 / 9),
            ("{{ value_json.get('ph', 0) }}", "ph", 1, 0), ("{{ value_json.samples[-1].ph }}", "samples[-1].ph", 1, 0),
            ("{{ iif(value_json.ph is defined, value_json.ph, 0) }}", "ph", 1, 0),
        ] as [(String, String, Double, Double)])
    func `a place and a straight line are read`(text: String, path: String, scale: Double, offset: Double) throws {
        let template = try ValueTemplate.read(text)
        #expect("\(template.path)" == path)
        #expect(abs(template.scale - scale) < 1e-12)
        #expect(abs(template.offset - offset) < 1e-12)
    }

    @Test(
        arguments: [
            ("{{ value_json.a if value_json.b > 1 else value_json.c }}", "two values"),
            ("{{ value_json.ph if value_json.other is defined else 0 }}", "other is there"),
            ("{{ value_json.ph if states('x') == 'on' else 0 }}", "states"),
            ("{% if value %}1{% endif %}", "does not use"), ("{% for a in value %}{{ a }}{% endfor %}", "statements"),
            ("ph {{ value }}", "not one expression"), ("{{ value }} {{ value }}", "more than one"),
            ("{{ states('sensor.x') }}", "states"), ("{{ value_json.a * value_json.b }}", "two values"),
            ("{{ value_json.a + value_json.b }}", "two values"), ("{{ 10 / value }}", "divides by a value"),
            ("{{ value / 0 }}", "divides by 0"), ("{{ value * 0 }}", "factor is 0"), ("{{ 7 }}", "does not use"),
            ("{{ value | log }}", "filter log"), ("{{ value // 10 }}", "//"), ("{{ value ** 2 }}", "**"),
            ("{{ value_json.split('ph') }}", "calls split"),
            ("{{ value.split(';') }}", "calls split"), ("{{ value_json.x.split(';')[0] }}", "calls split"),
            ("{{ value | replace('mV', '') }}", "filter replace"), ("{{ value_json. }}", "ends too early"),
            ("{{ ( value }}", "too early"),
            ("{{ value % 2 }}", "%"), ("{{ value_json['a }}", "does not end"),
            ("{{ value_json[-] }}", "too early"),
        ])
    func `anything else is refused with its reason`(text: String, reason: String) {
        let refusal = #expect(throws: ValueTemplate.Refusal.self) { try ValueTemplate.read(text) }
        #expect(refusal?.reason.contains(reason) == true, "\(refusal?.reason ?? "")")
    }

    @Test(
        arguments: [
            ("{{ value_json.ph if value_json.ok else 0 }}", "ok!=false|0|null"),
            ("{{ value_json.ph if value_json.valid == true else none }}", "valid=true"),
            ("{{ value_json.ph if value_json.state == 'ok' or value_json.state == 'warn' }}", "state=ok|warn"),
            ("{{ 0 if value_json.pump == 'off' else value_json.ph }}", "pump!=off"),
            ("{{ value_json.ph if value_json.flow > 5 else 0 }}", "flow>5"),
            ("{% if value_json.mode != 'service' %}{{ value_json.ph }}{% endif %}", "mode!=service"),
        ])
    func `what a template asks of the payload is a condition of the value`(text: String, notation: String) throws {
        let template = try ValueTemplate.read(text)
        #expect("\(template.path)" == "ph")
        let shown = template.conditions.map {
            "\($0.path)\(words("", $0.words))\(words("!", $0.others))".replacing(" ", with: "")
        }
        #expect(shown == [notation])
    }

    @Test(
        arguments: [
            ("", "~ online=online offline=offline"),
            ("{{ value_json.state }}", "~#state online=online offline=offline"),
            ("{{ 'online' if value_json.x == 'up' else 'offline' }}", "~#x online=up"),
            ("{{ 'offline' if value_json.x == 'down' else 'online' }}", "~#x offline=down"),
            ("{% if value == 'ON' %}online{% else %}offline{% endif %}", "~ online=ON"),
            ("{{ 'online' if value_json.on else 'offline' }}", "~#on offline=false|0|null"),
            ("{{ 'online' if value_json.x in ['a', 'b'] else 'offline' }}", "~#x online=a|b"),
            ("{{ 'online' if value == 'a' else ('online' if value == 'b' else 'offline') }}", "~ online=a|b"),
            ("{{ 'online' if value | int > 0 else 'offline' }}", "~ online>0"),
            ("{{ 'online' if value_json.rssi > -90 else 'offline' }}", "~#rssi online>-90"),
            ("{{ 'online' if value_json.x is defined else 'offline' }}", nil),
            ("{{ 'here' if value == 'x' else 'gone' }}", nil),
        ] as [(String, String?)])
    func `the template of an availability gives a place and words`(text: String, notation: String?) {
        let read = try? ValueTemplate.readAvailability(text, online: "online", offline: "offline")
        let shown = read.map { read in
            let place = read.path == .whole ? "~" : "~#\(read.path)"
            return "\(place)\(words("online", read.online))\(words("offline", read.offline))"
        }
        #expect(shown == notation)
    }

    @Test func `rounding is told, because a mapping keeps the digits`() throws {
        #expect(try ValueTemplate.read("{{ value | round(1) }}").isRounded)
        #expect(try ValueTemplate.read("{{ value | int }}").isRounded)
        #expect(try !ValueTemplate.read("{{ value | float }}").isRounded)
    }

    @Test func `depth and length have limits`() {
        #expect(throws: ValueTemplate.Refusal.self) {
            try ValueTemplate.read("{{ " + String(repeating: "(", count: 2000) + "value }}")
        }
        #expect(throws: ValueTemplate.Refusal.self) {
            try ValueTemplate.read("{{ value" + String(repeating: " ", count: ValueTemplate.byteCountMax) + "}}")
        }
        #expect(throws: ValueTemplate.Refusal.self) {
            try ValueTemplate.read("{{ value_json" + String(repeating: ".a", count: 100) + " }}")
        }
    }

    @Test func `10 000 random templates are read or refused`() {
        let pieces = [
            "{{", "}}", " value ", "value_json", ".ph", "['a']", "[0]", "|", "float", "(", ")", "round", "1", "2.5",
            "*", "/",
            "+", "-", ",", "'", "\"", "default", "{%", "\u{0}", "é", "=", "10",
        ]
        var random = SplitMix64(seed: 7)
        var readCount = 0
        for _ in 0..<10_000 {
            let inner = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            if (try? ValueTemplate.read("{{" + inner.joined() + "}}")) != nil { readCount += 1 }
        }
        #expect(readCount > 0)
    }
}

/// Words as a mapping writes them: ` online=a|b`, and a comparison without the equals sign; nothing for none.
private func words(_ key: String, _ words: [String]) -> String {
    guard let first = words.first else { return "" }
    return " \(key)\(NumberComparison(first) == nil ? "=" : "")\(words.joined(separator: "|"))"
}
