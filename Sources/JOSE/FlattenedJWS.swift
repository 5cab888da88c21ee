package import StrictJSON

/// A JWS in flattened JSON serialization, with exactly three members (RFC 7515, 7.2.2;
/// signed-configuration: The envelope).
///
/// The parts are kept as they stand in the text, base64url or not: each is judged on its own.
package struct FlattenedJWS: Hashable, Sendable {
    package let protected: [UInt8]
    package let payload: [UInt8]
    package let signature: [UInt8]

    package init(protected: [UInt8], payload: [UInt8], signature: [UInt8]) {
        self.protected = protected
        self.payload = payload
        self.signature = signature
    }

    /// - Parameter bytes: I-JSON (RFC 7493): an object with the three members and no other, all
    ///   of them strings, in any order.
    package init(parsing bytes: [UInt8]) throws(FlattenedJWSError) {
        let document: JSONDocument
        do {
            document = try JSONDocument.parse(bytes)
        } catch {
            throw .notJSON(error)
        }
        try self.init(document.root)
    }

    /// - Parameter element: an envelope that stands inside another text.
    package init(_ element: JSONElement) throws(FlattenedJWSError) {
        guard element.kind == .object else { throw .notObject(element) }
        guard element.count == 3, let protected = element["protected"],
            let payload = element["payload"], let signature = element["signature"]
        else { throw .members(element.members.map { $0.name }, of: element) }
        self.protected = try Self.text(protected)
        self.payload = try Self.text(payload)
        self.signature = try Self.text(signature)
    }

    private static func text(_ element: JSONElement) throws(FlattenedJWSError) -> [UInt8] {
        guard let text = element.utf8 else { throw .notString(element) }
        return text
    }

    /// What is signed: `protected`, a dot, `payload`, in ASCII (RFC 7515, 5.1).
    package var signingInput: [UInt8] {
        SigningInput.join(protected, payload)
    }

    /// One line without a newline at its end, members in the order protected, payload, signature.
    package func serialized() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(protected.count + payload.count + signature.count + 48)
        text += "{\"protected\":".utf8
        Self.append(protected, to: &text)
        text += ",\"payload\":".utf8
        Self.append(payload, to: &text)
        text += ",\"signature\":".utf8
        Self.append(signature, to: &text)
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func append(_ part: [UInt8], to text: inout [UInt8]) {
        // A part that was read may be anything; base64url needs no escapes.
        let isPlain = part.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        if isPlain {
            text.append(UInt8(ascii: "\""))
            text += part
            text.append(UInt8(ascii: "\""))
        } else {
            text += JSONValue.string(String(decoding: part, as: UTF8.self)).canonical()
        }
    }
}

/// Why a text is no envelope; the elements tell where.
package enum FlattenedJWSError: Error, Sendable {
    case notJSON(JSONError)
    case notObject(JSONElement)
    /// Other members than the three, by name in the order of the text.
    case members([String], of: JSONElement)
    case notString(JSONElement)
}
