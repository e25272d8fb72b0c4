import PoolControl

/// The open dialogs; the topmost has the keys.
struct DialogStack: Sendable {
    /// The identity of an open dialog; never used twice.
    typealias ID = Int

    private struct Entry: Sendable {
        let id: ID
        var dialog: any HubDialog
    }

    private var entries: [Entry] = []
    private var lastID = 0

    var isEmpty: Bool { entries.isEmpty }
    /// The identity of the topmost dialog; nil without a dialog.
    var top: ID? { entries.last?.id }
    /// Whether the help is open.
    var showsHelp: Bool { entries.contains { $0.dialog is HelpDialog } }

    mutating func open(_ dialog: any HubDialog) {
        lastID += 1
        entries.append(Entry(id: lastID, dialog: dialog))
    }

    mutating func close(_ id: ID) { entries.removeAll { $0.id == id } }

    mutating func closeTop() { if !entries.isEmpty { entries.removeLast() } }

    mutating func closeDetections() { entries.removeAll { $0.dialog is DetectionDialog } }

    func draw(in context: ScreenContext, on picture: inout Picture) {
        for entry in entries {
            // A dialog hides what is below it from the mouse.
            picture.clearTargets()
            entry.dialog.draw(in: context, on: &picture)
        }
    }

    // MARK: The topmost dialog

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        guard let index = entries.indices.last else { return [] }
        return entries[index].dialog.press(key, in: context)
    }

    mutating func paste(_ text: String) -> [ConsoleOutcome] {
        guard let index = entries.indices.last else { return [.toast(.note, "Text can be pasted into a form only")] }
        return entries[index].dialog.paste(text) ? [] : [.toast(.note, "Nothing can be pasted here")]
    }

    mutating func click(_ targets: [Target], in context: ScreenContext) -> [ConsoleOutcome] {
        guard let index = entries.indices.last else { return [] }
        guard targets.contains(.dialog) else {
            // What was typed must not be lost by a stray click.
            return entries[index].dialog.holdsInput ? [] : entries[index].dialog.press(.escape, in: context)
        }
        let key = targets.lazy.compactMap { if case .key(let key) = $0 { key } else { nil } }.first
        if let key { return entries[index].dialog.press(key, in: context) }
        let field = targets.lazy.compactMap { if case .field(let field) = $0 { field } else { nil } }.first
        guard let field else { return [] }
        return entries[index].dialog.click(field, in: context)
    }

    // MARK: All dialogs

    mutating func update(in context: ScreenContext) {
        for index in entries.indices { entries[index].dialog.update(in: context) }
    }

    /// Passes an answer on to the dialog that waits for it; a toast shows it if the dialog was left meanwhile.
    mutating func receive(
        _ reply: HubReply, for id: ID, in context: ScreenContext
    ) -> [ConsoleOutcome] {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return [reply.toast] }
        return entries[index].dialog.receive(reply, in: context)
    }
}
