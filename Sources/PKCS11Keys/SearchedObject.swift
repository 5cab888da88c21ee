import CPKCS11

/// What an object is searched by: its kind, and its label, its identifier or both.
///
/// The kind always stands in it: a module that gets a public key to sign with may do so.
struct SearchedObject: Sendable {
    var kind: CK_OBJECT_CLASS
    let label: [UInt8]?
    let id: [UInt8]?

    init(_ kind: CK_OBJECT_CLASS, label: [UInt8]? = nil, id: [UInt8]? = nil) {
        self.kind = kind
        self.label = label
        self.id = id
    }

    /// For `C_FindObjectsInit`.
    var template: AttributeTemplate {
        var template = AttributeTemplate()
        template.add(CKA_CLASS, number: kind)
        if let label { template.add(CKA_LABEL, label) }
        if let id { template.add(CKA_ID, id) }
        return template
    }
}
