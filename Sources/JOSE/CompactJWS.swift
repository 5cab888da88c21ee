/// A JWS in compact serialization (RFC 7515, 7.1).
///
/// The parts are kept as they stand in the text, base64url or not: each is judged on its own.
package struct CompactJWS: Hashable, Sendable {
    package let protected: [UInt8]
    package let payload: [UInt8]
    package let signature: [UInt8]

    package init(protected: [UInt8], payload: [UInt8], signature: [UInt8]) {
        self.protected = protected
        self.payload = payload
        self.signature = signature
    }

    /// - Parameter bytes: exactly three parts with dots between them.
    package init(parsing bytes: [UInt8]) throws(CompactJWSError) {
        let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
        guard dots.count == 2 else { throw CompactJWSError(partCount: dots.count + 1) }
        protected = Array(bytes[..<dots[0]])
        payload = Array(bytes[(dots[0] + 1)..<dots[1]])
        signature = Array(bytes[(dots[1] + 1)...])
    }

    /// What is signed: `protected`, a dot, `payload`, in ASCII (RFC 7515, 5.1).
    package var signingInput: [UInt8] {
        SigningInput.join(protected, payload)
    }

    package func serialized() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(protected.count + payload.count + signature.count + 2)
        text += protected
        text.append(UInt8(ascii: "."))
        text += payload
        text.append(UInt8(ascii: "."))
        text += signature
        return text
    }
}

/// A text that is no compact JWS, since it has other than three parts.
package struct CompactJWSError: Error, Hashable, Sendable {
    package let partCount: Int

    package init(partCount: Int) {
        self.partCount = partCount
    }
}
