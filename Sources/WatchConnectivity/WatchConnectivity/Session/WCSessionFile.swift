public import Foundation

/// A file that was sent or received.
///
/// Source: Apple's WatchConnectivity, `WCSessionFile`.
open class WCSessionFile: NSObject {
    private let url: URL
    private let list: AppDictionary?

    /// Creates an object without a file, for subclasses that are mocks.
    public override init() {
        url = URL(fileURLWithPath: "/")
        list = nil
        super.init()
    }

    init(url: URL, metadata: AppDictionary?) {
        self.url = url
        list = metadata
        super.init()
    }

    /// The location of the file.
    ///
    /// A received file is there only until the delegate's method returns.
    open var fileURL: URL { url }

    /// The sender's data about the file; nil if there are none.
    open var metadata: [String: Any]? { list?.value }
}
