import CRides
package import WebServer

extension PageFiles {
    /// The files of the rides: the page, and the migrations.
    package static let rides = unsafe PageFiles(
        rides_file_count(), { unsafe rides_file($0) }, isServed: { !$0.hasSuffix(".sql") })
}
