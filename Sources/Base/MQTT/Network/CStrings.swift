/// Passes texts as an array of C strings, nil for a missing one; the callee must not change them.
func withCStrings<Result>(
    _ texts: [String?], _ body: (UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var characters: [CChar] = []
    var offsets: [Int?] = []
    for text in texts {
        offsets.append(text == nil ? nil : characters.count)
        characters += text?.utf8CString ?? []
    }
    return unsafe characters.withUnsafeMutableBufferPointer { buffer in
        let pointers = unsafe offsets.map { offset in
            unsafe offset.flatMap { unsafe buffer.baseAddress?.advanced(by: $0) }
        }
        return unsafe pointers.withUnsafeBufferPointer { unsafe body($0) }
    }
}
