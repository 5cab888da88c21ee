/// The name that a store gives to the bytes it holds right now (RFC 9110 8.8.3).
///
/// The protocol only keeps it and hands it back; what it looks like is the store's affair.
package struct EntityTag: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}
