import CSodium

/// The arithmetic of CPace, a password-authenticated key exchange, over ristretto255 with SHA-512.
///
/// Source: draft-irtf-cfrg-cpace-21, "CPace, a balanced composable PAKE"; the sections are named at the functions.
enum CPace {
    private static let name = Array("CPaceRistretto255".utf8)
    /// The bytes that SHA-512 takes at a time.
    private static let blockByteCount = 128
    /// The bytes of a point and of a scalar.
    static let pointByteCount = 32

    /// The strings one after the other, each after its length in LEB128: `lv_cat`, section "Notation for string operations".
    static func joined(_ strings: [UInt8]...) -> [UInt8] {
        strings.flatMap { string in
            var length = string.count
            var prefix: [UInt8] = []
            while length > 0x7F {
                prefix.append(UInt8(length & 0x7F) | 0x80)
                length >>= 7
            }
            return prefix + [UInt8(length)] + string
        }
    }

    /// The library must be initialised before its functions are called.
    private static let isReady = sodium_init() >= 0

    /// What the generator is hashed from, section "Common function for computing generators".
    static func generatorText(password: [UInt8], channel: [UInt8], session: [UInt8]) -> [UInt8] {
        let start = joined(name).count + joined(password).count
        let zeros = [UInt8](repeating: 0, count: max(0, blockByteCount - start - 1))
        return joined(name, password, zeros, channel, session)
    }

    /// The generator that belongs to a password: `calculate_generator`.
    static func generator(password: [UInt8], channel: [UInt8], session: [UInt8]) -> [UInt8] {
        precondition(isReady, "libsodium cannot be initialised")
        let hash = hash(generatorText(password: password, channel: channel, session: session))
        var point = [UInt8](repeating: 0, count: pointByteCount)
        // SHA-512 gives the 64 bytes that are read, and a point has the 32 that are written.
        let code = unsafe crypto_core_ristretto255_from_hash(&point, hash)
        precondition(code == 0, "any 64 bytes give a point")
        return point
    }

    /// A random scalar from 32 random bytes: `sample_scalar`.
    static func scalar(_ random: [UInt8]) -> [UInt8] {
        precondition(random.count == pointByteCount, "a scalar needs 32 random bytes, not \(random.count)")
        return random.dropLast() + [random[pointByteCount - 1] & 0x0F]
    }

    /// A point times a scalar; nil for what is no point and for the neutral element: `scalar_mult_vfy`.
    static func multiply(_ scalar: [UInt8], _ point: [UInt8]) -> [UInt8]? {
        guard scalar.count == pointByteCount, point.count == pointByteCount else { return nil }
        var product = [UInt8](repeating: 0, count: pointByteCount)
        // All three have 32 bytes.
        return unsafe crypto_scalarmult_ristretto255(&product, scalar, point) == 0 ? product : nil
    }

    /// The key of a session, 64 bytes, section "CPace protocol instructions".
    static func key(session: [UInt8], secret: [UInt8], first: [UInt8], second: [UInt8]) -> [UInt8] {
        hash(joined(name + Array("_ISK".utf8), session, secret) + first + second)
    }

    /// The tag that confirms one side's message, 64 bytes, section "Key confirmation".
    static func tag(session: [UInt8], key: [UInt8], message: [UInt8]) -> [UInt8] {
        authenticate(message, with: hash(Array("CPaceMac".utf8) + session + key))
    }

    /// HMAC with SHA-512.
    static func authenticate(_ message: [UInt8], with key: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha512_state()
        var tag = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha512_BYTES))
        // The state lives on the stack for the three calls, and the counts are those of the arrays.
        unsafe crypto_auth_hmacsha512_init(&state, key, key.count)
        unsafe crypto_auth_hmacsha512_update(&state, message, UInt64(message.count))
        unsafe crypto_auth_hmacsha512_final(&state, &tag)
        return tag
    }

    /// Whether two tags are equal, in a time that does not depend on where they differ.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        // Both have as many bytes as are compared.
        left.count == right.count && (unsafe sodium_memcmp(left, right, left.count)) == 0
    }

    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
        // The function writes 64 bytes, and reads as many as there are.
        unsafe crypto_hash_sha512(&hash, bytes, UInt64(bytes.count))
        return hash
    }
}
