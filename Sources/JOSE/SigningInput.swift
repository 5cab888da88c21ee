/// What an ES256 signature is made over (RFC 7515, 5.1).
package enum SigningInput {
    /// The ASCII bytes of `protected + "." + payload`, both in base64url already.
    package static func join(_ protected: [UInt8], _ payload: [UInt8]) -> [UInt8] {
        var input: [UInt8] = []
        input.reserveCapacity(protected.count + 1 + payload.count)
        input += protected
        input.append(UInt8(ascii: "."))
        input += payload
        return input
    }
}
