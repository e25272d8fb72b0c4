import ImtApp
import ImtModel
import Terminal
import Testing

@testable import ImtWatch

/// The face of a watch: what it draws, what its keys do, and when it locks.
@Suite struct WristFaceTests {
    private let view = TerminalView(size: Size(columns: 60, rows: 12))

    /// What a face asked for, and its clock.
    private final class World {
        var shown = Wrist.Shown()
        var asked: [String] = []
        var seconds = 0
    }

    private static let row = PatientPage.Row(
        id: Patient.ID(high: 1, low: 1), given: "Ada", initial: "E", count: 2, sides: [.before, .after])

    private func face(_ world: World, depth: ColorDepth = .mono, idle: Int = 120) -> WristFace {
        WristFace(
            look: ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: depth)), idleSeconds: idle,
            seconds: { world.seconds }, shown: { world.shown }
        ) { action in
            switch action {
            case .list(let command): world.asked.append("\(command)")
            case .open(let row): world.asked.append("open \(row.given)")
            case .look(_, let view): world.asked.append("look \(view.rawValue)")
            case .leave: world.asked.append("leave")
            case .name(_, let name): world.asked.append("name \(name.rawValue)")
            case .lock: (world.shown.isLocked, world.shown.pair) = (true, nil)
            case .unlock: world.shown.isLocked = false
            }
        }
    }

    private func world() -> World {
        let world = World()
        world.shown.isReachable = true
        world.shown.grants = ["imt.list"]
        world.shown.page = PatientPage(number: 0, pageCount: 2, rows: [Self.row])
        return world
    }

    private func lines(_ face: inout WristFace) -> [String] {
        face.draw(in: view).text.split(separator: "\n").map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private func press(_ keys: Key..., on face: inout WristFace) {
        for key in keys { _ = face.handle(.key(key), in: view) }
    }

    @Test func `IMT35 a face locks after its idle time, and each key begins that anew`() {
        let world = world()
        var face = face(world, idle: 120)
        world.seconds = 119
        _ = face.refresh(in: view)
        #expect(!world.shown.isLocked)
        press(.down, on: &face)
        world.seconds = 238
        _ = face.refresh(in: view)
        #expect(!world.shown.isLocked, "the key came 119 seconds ago")
        world.seconds = 239
        _ = face.refresh(in: view)
        #expect(world.shown.isLocked)
        #expect(lines(&face) == ["IMT  phone near", "Locked: no photo is kept. Enter goes on.", "Enter go on  q end"])
        press(.character("/"), .character("x"), on: &face)
        #expect(world.shown.isLocked, "only Enter goes on")
        press(.enter, on: &face)
        #expect(!world.shown.isLocked)
        press(.character("l"), on: &face)
        #expect(world.shown.isLocked)
    }

    @Test func `IMT19 IMT36 the list has first names and an initial, opens a patient and searches`() {
        let world = world()
        var face = face(world)
        #expect(lines(&face)[1...2] == ["page 1 of 2", "▸ Ada E  2  before+after"])
        press(.enter, .right, .character("/"), .character("b"), .enter, on: &face)
        #expect(world.asked == ["open Ada", "\(WristCommand.page(1))", "\(WristCommand.find("b"))"])
        world.shown.grants = []
        world.shown.page = nil
        #expect(lines(&face).dropLast().last == "this watch may not see the list: give imt.list")
    }

    @Test func `IMT7 transformations are chosen, looked at and named`() {
        let world = world()
        world.shown.patient = Self.row
        world.shown.transformations = [
            WristReply.Row(id: Transformation.ID(high: 2, low: 1), name: "Skin", complete: [.left]),
            WristReply.Row(id: Transformation.ID(high: 2, low: 2), name: nil, complete: []),
        ]
        var face = face(world)
        #expect(lines(&face)[1...3] == ["Ada E", "▸ Skin  left", "  without a name  not both photos"])
        press(.enter, .down, .tab, .character("n"), .escape, on: &face)
        let name = PresetName.allCases[1].rawValue
        #expect(world.asked == ["look left", "name \(name)", "\(WristCommand.page(0))"])
    }

    @Test func `IMT18 IMT38 a pair is drawn in half blocks, fades a step a key, and is compared in other ways`() {
        let world = world()
        let size = CompareFrame.size
        world.shown.pair = Wrist.Pair(
            transformation: Transformation.ID(high: 2, low: 1), view: .front, before: Raster(size: size, gray: 0),
            after: Raster(size: size, gray: 200), days: ["2026-01-02", nil], isAligned: false)
        var face = face(world, depth: .truecolor)
        func ink() -> AdaptiveColor { face.draw(in: view)[0, 2].style.foreground }
        #expect(lines(&face)[1] == "before 2026-01-02  after ?  fade 0 %  not aligned")
        #expect(face.draw(in: view)[0, 2].character == "▀")
        #expect(ink().rgb == RGB(red: 0, green: 0, blue: 0))
        press(.right, .right, on: &face)
        #expect(ink().rgb == RGB(red: 4, green: 4, blue: 4))
        press(.end, on: &face)
        #expect(ink().rgb == RGB(red: 200, green: 200, blue: 200))
        press(.right, .character("g"), on: &face)
        #expect(lines(&face)[1].hasSuffix("ghost  not aligned"))
        #expect(ink().rgb == RGB(red: 100, green: 100, blue: 100))
        press(.character("g"), .home, .character("w"), .right, on: &face)
        #expect(lines(&face)[1].hasSuffix("wipe 1 %  not aligned"))
        press(.escape, on: &face)
        #expect(world.asked == ["leave"])
        var mono = self.face(world)
        #expect(lines(&mono)[2] == "this terminal shows no pictures: use one with colours")
    }
}
