import CTurboJPEG
package import Text

/// Reads and writes JPEG with libjpeg-turbo.
///
/// Source: turbojpeg.h of libjpeg-turbo 2.1: a handle is for one thread at a time; a warning is a failed call with the code
/// `TJERR_WARNING`, after which the whole picture is there.
package enum JPEGCodec {
    /// The most points that are decoded at a time.
    package static let rasterPointCountMax = 12_600_000

    /// Decodes a picture, shrunk to eighths.
    ///
    /// - Parameters:
    ///   - bytes: The picture, without what ``JPEGScan`` removes.
    ///   - eighths: 1…8 eighths of its width and height.
    /// - Returns: The points, in the orientation in which they are stored.
    /// - Throws: ``BilingualProblem`` if it is cut off or damaged.
    package static func decode(_ bytes: [UInt8], eighths: Int) throws(BilingualProblem) -> Raster {
        try decodeAll(bytes, eighths: eighths).raster
    }

    /// Decodes a picture as ``decode(_:eighths:)`` does, and says whether it holds bytes that are not the picture.
    ///
    /// - Parameters:
    ///   - bytes: The picture, without what ``JPEGScan`` removes.
    ///   - eighths: 1…8 eighths of its width and height.
    /// - Returns: The points; and whether there are bytes between its markers that the library passed over.
    /// - Throws: ``BilingualProblem`` if it is cut off or damaged.
    package static func decodeAll(
        _ bytes: [UInt8], eighths: Int
    ) throws(BilingualProblem) -> (raster: Raster, hasOtherBytes: Bool) {
        let handle = unsafe try Handle(tjInitDecompress())
        var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
        let isRead = unsafe bytes.withUnsafeBufferPointer { given in
            // The library reads so many bytes, and keeps no pointer.
            unsafe tjDecompressHeader3(
                handle.raw, given.baseAddress, UInt(given.count), &width, &height, &sampling, &colors)
        }
        // Its header call takes some garbage for a picture of 0×0.
        guard isRead == 0, width > 0, height > 0 else { throw damaged(handle.message, bytes) }
        let size = PictureSize(width: Int(width), height: Int(height)).shrunk(toEighths: eighths)
        guard size.pointCount <= rasterPointCountMax else {
            throw BilingualProblem(
                .unfit,
                "the picture has \(size.width)×\(size.height) points when it is shrunk, which is too many: save it smaller",
                "la photo réduite a \(size.width)×\(size.height) points, c'est trop : enregistrez-la plus petite")
        }
        var raster = Raster(size: size)
        let isDecoded = unsafe bytes.withUnsafeBufferPointer { given in
            unsafe raster.bytes.withUnsafeMutableBufferPointer { room in
                // The room has three bytes for each point of the size, which the library fills.
                unsafe tjDecompress2(
                    handle.raw, given.baseAddress, UInt(given.count), room.baseAddress, Int32(size.width), 0,
                    Int32(size.height), Int32(TJPF_RGB.rawValue), TJFLAG_LIMITSCANS)
            }
        }
        if isDecoded != 0 {
            let message = handle.message
            guard handle.isWarning, message.contains("extraneous bytes") else { throw damaged(message, bytes) }
        }
        return (raster, isDecoded != 0)
    }

    private static func damaged(_ message: String, _ bytes: [UInt8]) -> BilingualProblem {
        if message.lowercased().contains("premature end") {
            return BilingualProblem(
                .unfit, "the picture is cut off: its \(bytes.count) bytes end before the last line; copy it again",
                "la photo est coupée : ses \(bytes.count) octets finissent avant la dernière ligne ; copiez-la encore")
        }
        return BilingualProblem(
            .unfit, "the picture is damaged (\(message)): copy it again, or save it anew",
            "la photo est abîmée (\(message)) : copiez-la encore, ou réenregistrez-la")
    }

    /// Encodes points.
    ///
    /// - Parameters:
    ///   - raster: The points.
    ///   - quality: 1…100.
    /// - Returns: A JPEG without any segment of an application but that of JFIF.
    /// - Throws: ``BilingualProblem`` if there is no memory for it.
    package static func encode(_ raster: Raster, quality: Int) throws(BilingualProblem) -> [UInt8] {
        let handle = unsafe try Handle(tjInitCompress())
        let (width, height) = (Int32(raster.size.width), Int32(raster.size.height))
        let sampling = Int32(TJSAMP_420.rawValue)
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(tjBufSize(width, height, sampling))) {
            room, count in
            var place = room.baseAddress
            var length = UInt(room.count)
            let result = unsafe raster.bytes.withUnsafeBufferPointer { given in
                // The room is as large as the library says it must be; it neither moves nor frees it.
                unsafe tjCompress2(
                    handle.raw, given.baseAddress, width, 0, height, Int32(TJPF_RGB.rawValue), &place, &length,
                    sampling, Int32(quality), TJFLAG_NOREALLOC)
            }
            failed = result != 0
            count = failed ? 0 : Int(length)
        }
        guard !failed else {
            throw BilingualProblem(
                .failed, "a picture could not be written: \(handle.message)",
                "une photo n'a pas pu être écrite : \(handle.message)")
        }
        return bytes
    }
}

/// A handle of the library, for one call.
// Its pointer is valid as long as it lives.
@safe private struct Handle: ~Copyable {
    let raw: tjhandle

    init(_ made: tjhandle?) throws(BilingualProblem) {
        guard let made = unsafe made else {
            throw BilingualProblem(
                .failed, "there is no memory for a picture: end other programs", "mémoire insuffisante pour une photo")
        }
        unsafe raw = made
    }

    deinit { _ = unsafe tjDestroy(raw) }

    /// Whether the last call had a result in spite of its failure.
    var isWarning: Bool { unsafe tjGetErrorCode(raw) == Int32(TJERR_WARNING.rawValue) }

    /// Why the last call failed.
    // The library's text ends with a zero and stays until the next call.
    var message: String { unsafe String(cString: tjGetErrorStr2(raw)) }
}

extension PictureSize {
    /// The columns and rows of a picture that the library shrinks to eighths: it rounds up.
    func shrunk(toEighths eighths: Int) -> PictureSize {
        PictureSize(width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
    }
}
