import PoolModel
import Testing

@testable import TerminalUI

struct InlineFaceTests {
    private func line(_ sample: SampleGlance, _ columns: Int) -> String {
        var screen = WatchScreen(capabilities: Capabilities(depth: .mono))
        screen.layout = .inline
        return screen.draw(sample.glance, size: Size(columns: columns, rows: 1)).text
    }

    @Test
    func `detail is left out in its order as the room shrinks`() {
        #expect(line(.critical, 74) == "◆ Lagoon  27.3° ↘  ▲pH 7.64 ↗  ◆Cl 0.20 ↘  ▲ORP 586 mV →  · 4 s")
        #expect(line(.critical, 58) == "◆ Lagoon  27.3°  ▲pH 7.64  ◆Cl 0.20  ▲ORP 586 mV  · 4 s")
        #expect(line(.critical, 52) == "◆ Lagoon  27.3°  ▲pH 7.64  ◆Cl 0.20  ▲ORP 586  · 4 s")
        #expect(line(.critical, 51) == "◆ Lagoon  27.3° ▲pH 7.64 ◆Cl 0.20 ▲ORP 586 · 4 s")
        #expect(line(.critical, 46) == "◆ Lagoon  27.3° ▲pH 7.64 ◆Cl 0.20 ▲ORP 586")
        #expect(line(.critical, 36) == "◆ 27.3° ▲pH 7.64 ◆Cl 0.20 ▲ORP 586")
        #expect(line(.critical, 30) == "◆ ▲pH 7.64 ◆Cl 0.20 ▲ORP 586")
        #expect(line(.critical, 20) == "◆ ▲pH 7.64 ◆Cl 0.20")
        #expect(line(.critical, 10) == "◆ ◆Cl 0.20")
        #expect(line(.critical, 9) == "◆")
        #expect(line(.critical, 0) == "")
    }

    @Test
    func `that values are old comes first and goes last`() {
        #expect(line(.stale, 60) == "◌ stale 3 min Lagoon  27.3°  pH 7.80  Cl 1.58  ORP 711 mV")
        #expect(line(.stale, 20) == "◌ stale 3 min 27.3°")
        #expect(line(.stale, 13) == "◌ stale 3 min")
        #expect(line(.stale, 12) == "◌ stale")
        #expect(line(.stale, 6) == "◌")
        #expect(line(.linkLost, 40) == "● no link 27.3° pH 7.35 Cl 1.58 ORP 711")
        #expect(line(.partlyStale, 60).hasPrefix("◌ partly stale Lagoon  27.3° "))
        #expect(line(.unpaired, 50) == "○ not paired with a hub yet")
        #expect(line(.unpaired, 20) == "○ not paired")
        #expect(line(.connecting, 60) == "○ connecting  waiting for the hub at 127.0.0.1:7201")
    }

    @Test
    func `edits and conflicts are told in words, then in signs`() {
        #expect(line(.conflict, 100).hasSuffix("ORP 711 mV →  · 1 conflict, 2 edits wait  · 4 s"))
        #expect(line(.conflict, 53) == "● Lagoon  27.3° pH 7.35 Cl 1.58 ORP 711 ≠1 ⇡2 · 4 s")
        #expect(line(.conflict, 46) == "● Lagoon  27.3° pH 7.35 Cl 1.58 ORP 711 ≠1 ⇡2")
        #expect(line(.conflict, 40) == "● 27.3° pH 7.35 Cl 1.58 ORP 711 ≠1 ⇡2")
        #expect(line(.conflict, 32) == "● 27.3° pH 7.35 Cl 1.58 ORP 711")
        #expect(line(.queuedEdits, 100).hasPrefix("○ offline 1 h no link Lagoon  "))
        #expect(line(.queuedEdits, 100).hasSuffix("· 2 edits wait"))
    }

    @Test(arguments: SampleGlance.allCases)
    func `no field is cut, at any width`(sample: SampleGlance) {
        let fields = Set(
            line(sample, 300).split(separator: " ") + ["≠1", "⇡2", "connecting", "not", "paired", "refused"])
        for columns in 0...120 {
            for field in line(sample, columns).split(separator: " ") {
                // A narrow line begins with a separator that also occurs in a wide one.
                #expect(fields.contains(field), "\(columns): \(field)")
            }
        }
    }
}

struct TmuxLineTests {
    @Test
    func `a style is named as tmux names it, at each depth`() {
        let glance = Glance.sample(chlorine: 0.2)
        #expect(
            TmuxLine.text(glance, columns: 18)
                == "#[fg=#ff6673,bold]◆ #[default]#[fg=#f2f6fa,bold]27.3#[default]#[fg=#9fb0c3]° "
                + "#[default]#[fg=#ff6673,bold]◆#[default]#[fg=#ff6673]Cl #[default]#[fg=#ff6673,bold]0.20#[default]")
        #expect(TmuxLine.text(glance, depth: .indexed256, columns: 1) == "#[fg=colour204,bold]◆#[default]")
        #expect(TmuxLine.text(glance, depth: .ansi16, columns: 1) == "#[fg=brightred,bold]◆#[default]")
        #expect(TmuxLine.text(glance, depth: .mono, columns: 1) == "#[bold]◆#[default]")
        #expect(TmuxLine.text(glance, depth: .mono, isASCII: true, columns: 1) == "#[bold]X#[default]")
    }

    @Test(arguments: ["#(reboot)", "#{pane_title}", "#[fg=red]", "a##b#", "#", "100%", "#,}\u{1B}]0;x\u{7}"])
    func `a hostile name runs no command of tmux and sets no style`(name: String) {
        let text = TmuxLine.text(.sample(name: name), depth: .mono)
        // Without the pairs of #, only the program's own styles are left.
        let rest = text.replacing("##", with: "").replacing("#[bold]", with: "").replacing("#[default]", with: "")
        #expect(!rest.contains("#"))
        #expect(!text.contains("\u{1B}") && !text.contains("\n"))
    }
}

struct GlanceFormatTests {
    @Test
    func `each field tells its fact`() throws {
        var glance = SampleGlance.conflict.glance
        glance.alerts = SampleGlance.alerts.glance.alerts
        glance.poolName = "Garden"
        glance.gauges[1].deviation = .low
        let format = try GlanceFormat(
            "{status}|{sign}|{name}|{pool}|{temperature}|{ph}|{chlorine}|{orp}|{age}|{link}|{edits}|{conflicts}|{alerts}"
                + "|{revision}|{{%}}")
        #expect(
            format.text(glance)
                == "CRITICAL|◆|Lagoon|Garden|27.3 °C|7.35▼|1.58 mg/L|711 mV|4 s|linked|2|1|2|4187|{%}")
        #expect(format.text(glance, status: "NO HUB").hasPrefix("NO HUB|◆|"))
        #expect(format.text(glance, isASCII: true).hasPrefix("CRITICAL|X|Lagoon|Garden|27.3 C|7.35v|"))
    }

    @Test
    func `what is not known or not fresh is told as such`() throws {
        let format = try GlanceFormat("{status} {name} {temperature} {ph} {age} {link} {revision}")
        #expect(format.text(SampleGlance.unpaired.glance) == "NOT PAIRED – – – – unpaired –")
        #expect(format.text(SampleGlance.stale.glance) == "STALE Lagoon 27.3 °C! 7.80! 3 min linked 4187")
        #expect(format.text(SampleGlance.linkLostStale.glance).hasPrefix("STALE Lagoon 27.3 °C! 7.35! 1 min lost"))
    }

    @Test
    func `sentences, patterns and the line for tmux say where an answer comes from`() throws {
        var glance = SampleGlance.stale.glance
        let format = try GlanceFormat("{source}")
        func lines() -> [String] { glance.plainLines().filter { $0.hasPrefix("Source: ") } }
        #expect(lines() == [] && format.text(glance) == "hub now")
        glance.source = .hub
        #expect(lines() == ["Source: hub now"])
        #expect(TmuxLine.text(glance, depth: .mono).contains("· hub now"))
        glance.source = .kept(reason: "an answer of the hub")
        let age = "kept copy, 3 min old"
        #expect(lines() == ["Source: \(age), not confirmed by the hub: it waits for an answer of the hub"])
        #expect(format.text(glance) == age)
        #expect(TmuxLine.text(glance, depth: .mono).contains(age))
        glance.link = .connecting(waitingFor: "the hub")
        #expect(lines() == ["Source: \(age), not confirmed by the hub"])
    }

    @Test
    func `everything else is written as it is`() throws {
        #expect(try GlanceFormat("").text(.sample()) == "")
        #expect(try GlanceFormat("{{status}} is 露天 %s \\n").text(.sample()) == "{status} is 露天 %s \\n")
    }

    @Test
    func `a pattern that cannot be used says which fields there are`() {
        #expect(throws: GlanceFormatError.unknownField("temp")) { try GlanceFormat("{status} {temp}") }
        #expect(throws: GlanceFormatError.singleBrace("{")) { try GlanceFormat("50 {") }
        #expect(throws: GlanceFormatError.singleBrace("}")) { try GlanceFormat("50} {name}") }
        let text = GlanceFormatError.unknownField("statsu").description
        let start =
            "--format has no field {statsu}; did you mean {status}? There are: {sentence} {name} {pool} {status} "
        #expect(text.hasPrefix(start))
        for name in GlanceFormat.names { #expect(text.contains("{\(name)}")) }
        #expect(!GlanceFormatError.unknownField("something").description.contains("did you mean"))
        #expect(GlanceFormatError.singleBrace("{").description.contains("double it"))
    }
}
