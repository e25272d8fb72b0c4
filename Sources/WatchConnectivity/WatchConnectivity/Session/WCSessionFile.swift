public import Foundation

/// A file that was sent or received.
///
/// Source: Apple's WatchConnectivity, `WCSessionFile`.
open class WCSessionFile: NSObject {
    private let url: URL
    private let list: AppDictionary?

    /// Creates a file of no use, for mocks whose class is a subclass.
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

    /// Where the file lies; a received one only until the delegate's method returns (rule R119).
    open var fileURL: URL { url }

    /// What the sender says about the file; nil if nothing (rule R121).
    open var metadata: [String: Any]? { list?.value }
}
