import GronaFormats
import SigningKeys
import StrictJSON

extension KeyRecord {
    /// The record as people and scripts see it: without what its signer says of a PIN.
    var shownJSON: JSONValue {
        var shown = self
        shown.signer = SignerURI.shown(signer)
        return shown.json
    }
}
