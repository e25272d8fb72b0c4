import Commands
import Foundation
import ImtPhone
import Text

/// What the demo does with its processes.
struct DemoTour {
    private static let password = "demo faces 4711"

    private let folder: String
    let stage: DemoStage

    init(folder: String, environment: Environment) {
        self.folder = folder
        stage = DemoStage(program: "imt", options: ["--state", "\(folder)/state"], environment: environment)
    }

    func run(_ length: Duration) async throws -> DemoOptions.Summary {
        let port = try LocalTools.freePorts(1)[0]
        try await stage.succeed("account", "add", "Demo", "--role", "owner", typed: Self.password)
        try stage.launch("phone", ["phone", "--page", "127.0.0.1:\(port)"])
        try await stage.hear("phone: phone is ready")
        stage.say("The page is at http://127.0.0.1:\(port)/ while this runs; log in as Demo with: \(Self.password)")
        stage.say("Two patients, with generated faces before and after:")
        for (index, name) in ["Ada", "Ben"].enumerated() {
            try await stage.succeed("add", name, "Example")
            try await stage.succeed("transformation", name, "Skin")
            for (side, progress) in [("before", "0"), ("after", "100")] {
                let file = "\(folder)/\(name)-\(side).jpg"
                try await stage.succeed(
                    "face", file, "--seed", "\(index + 1)", "--progress", progress, "--width", "480", isShown: false,
                    isBare: true)
                try await stage.succeed("import", name, "Skin", side, file)
            }
        }
        try await stage.succeed("consent", "Ada", "clinical", "yes")
        stage.say("Two watches pair by themselves; only Left may see photos:")
        for watch in ["Left", "Right"] {
            try stage.launch(watch, ["watch", "--name", watch, "--plain"], isTypedTo: true)
            try await stage.hear("\(watch): list 1/1: Ada E, Ben E")
        }
        try await stage.succeed("watches", "--grant", "Left", "imt.photo")
        for watch in ["Left", "Right"] {
            try stage.type("open 1", to: watch)
            try await stage.hear("\(watch): Ada: Skin ✓")
            try stage.type("show 1", to: watch)
        }
        try await stage.hear("Left: pair:")
        try await stage.hear("Right: notice: this watch needs imt.photo")
        stage.say("The cross-fade is exact: 0 is the photo before, 100 the one after.")
        for position in ["0", "50", "100"] { try stage.type("fade \(position)", to: "Left") }
        try await stage.hear("Left: fade 100")
        stage.say("Ada withdraws: the phone recalls the photos, and refuses to export them.")
        try await stage.succeed("consent", "Ada", "clinical", "no")
        try await stage.hear("Left: notice: the phone recalled a photo")
        _ = try await stage.command(["export", "Ada", "\(folder)/export"])
        try await Task.sleep(for: length)
        return try await summary()
    }

    private func summary() async throws -> DemoOptions.Summary {
        let lines = try await stage.succeed("audit", "--json", "--limit", "1000", isShown: false)
        let entries = try CanonicalJSON.decode([AuditEntry].self, from: Array(lines.joined().utf8))
        let counts = Dictionary(grouping: entries, by: \.action).mapValues(\.count)
        let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let (sent, recalled) = (counts["send"] ?? 0, counts["recall"] ?? 0)
        return DemoOptions.Summary(
            lines: [
                "The log has \(entries.count) entries: \(words.joined(separator: ", ")).",
                "Photos sent: \(sent), recalled: \(recalled).",
            ], isRight: sent > 0 && recalled > 0)
    }
}
