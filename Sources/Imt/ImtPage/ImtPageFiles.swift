import CImtPage
import WebServer

extension PageFiles {
    /// The files of the clinic's page, which has modules of its own.
    static let imt = unsafe PageFiles(imt_page_file_count(), { unsafe imt_page_file($0) })
}
