import Libcrypto
import Testing

@Suite struct LibcryptoErrorTests {
    @Test("a failed call gives OpenSSL's reasons and leaves none behind")
    func drained() throws {
        do {
            _ = try ECPublicKey(uncompressedPoint: [4] + [UInt8](repeating: 1, count: 64))
            Issue.record("accepted")
        } catch {
            #expect(error.function == "EVP_PKEY_fromdata")
            #expect(error.entries.contains { $0.reason == "point is not on curve" })
        }
        #expect(LibcryptoError(draining: "nothing").entries.isEmpty)
    }

    @Test("a signature that does not hold leaves no error behind")
    func verification() throws {
        let base: [UInt8] = [4] + P256.base
        let key = try ECPublicKey(uncompressedPoint: base)
        #expect(!key.verify(SHA256.digest([]), der: [0x30, 0x06, 2, 1, 1, 2, 1, 1]))
        #expect(!key.verify(SHA256.digest([]), der: []))
        #expect(LibcryptoError(draining: "nothing").entries.isEmpty)
    }
}
