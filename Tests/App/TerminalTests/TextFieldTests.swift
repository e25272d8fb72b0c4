import Testing

@testable import Terminal

struct TextFieldTests {
    private func typed(_ keys: [Key], into text: String = "") -> TextField {
        var field = TextField(text)
        for key in keys { field.press(key) }
        return field
    }

    @Test func `keys insert and delete at the cursor`() {
        let field = typed([.left, .left, .character("x"), .backspace, .delete, .character("Ä")], into: "abcd")
        #expect(field.text == "abÄd")
        #expect(field.cursor == 3)
    }

    @Test func `the keys of a shell work as well`() {
        #expect(typed([.control("w")], into: "one two  ").text == "one ")
        #expect(typed([.control("a"), .control("d")], into: "abc").text == "bc")
        #expect(typed([.left, .control("k")], into: "abc").text == "ab")
        #expect(typed([.left, .control("u")], into: "abc").text == "c")
    }

    @Test func `what is pasted loses line ends and control characters`() {
        var field = TextField("ab")
        field.press(.left)
        field.insert("1\r\n2\u{1B}[31m\u{7}\n")
        #expect(field.text == "a1 2[31mb")
    }

    @Test func `there is never more than the limit`() {
        var field = TextField(String(repeating: "x", count: 5000))
        field.insert(String(repeating: "y", count: 5000))
        field.press(.character("z"))
        #expect(field.text.count == TextField.limit)
    }

    @Test func `a mark joins the character before it`() {
        var field = TextField("e")
        field.insert("\u{301}")
        #expect(field.text.count <= 2)
        #expect(field.cursor <= field.characters.count)
    }

    @Test(arguments: 0...4)
    func `flags and marks that are typed one after the other are one character`(place: Int) {
        var field = TextField("abcd")
        field.press(.home)
        for _ in 0..<place { field.press(.right) }
        for scalar in "🇫🇷👍🏽".unicodeScalars { field.insert(String(scalar)) }
        let text = "abcd"
        let expected = text.prefix(place) + "🇫🇷👍🏽" + text.suffix(4 - place)
        #expect(field.characters == Array(expected))
        #expect(field.cursor == place + 2)
    }
}
