package import GronaFormats
package import StrictJSON

/// What a finding is about, as data.
package enum FindingDetail: Sendable, Equatable {
    /// The file is no I-JSON text.
    case json(JSONError)
    /// A member that has to be there is not.
    case missing(member: String)
    /// A member that nothing reads.
    case unknown(member: String)
    /// A value of another type.
    case type(expected: ValueType, found: ValueType)
    /// A string of another form than the member takes.
    case form(expected: ValueForm, found: String)
    /// A string that is no time as it is read here.
    case time(TimeError, found: String)
    /// A string that is none of the words the member takes.
    case word(expected: [String], found: String)
    /// A number outside of its range, both ends included.
    case range(found: Int64, atLeast: Int64, atMost: Int64)
    /// A duration over its limit or below one second, in seconds.
    case lifetime(found: Int64, atMost: Int64)
    /// The workspace key is not the folder's name.
    case folderName(found: String, folder: String)
    /// The campaign's id is not the file's name.
    case fileName(found: String, file: String)
    /// The word names something else and can be no id.
    case reserved(word: String)
    /// The same id stands elsewhere.
    case duplicate(id: String, firstFile: String, firstPointer: String)
    /// The weights of a campaign's variants do not add up.
    case weights(sum: Int64, expected: Int64)
    /// An offer all of whose variants are controls.
    case onlyControls
    /// A member that only an offer has, on a campaign of another kind.
    case treatmentWithoutOffer(kind: String)
    /// A campaign with a treatment that counts devices.
    case treatmentNeedsCustomer
    /// The campaign is never on: it ends at or before it starts, in Unix seconds.
    case neverOn(startsAt: Int64, endsAt: Int64)
    /// A string with an e-mail address in it.
    case email(String)
    /// A string that looks like it holds a phone number.
    case phone(String)
    /// A string that looks like it holds a customer's id.
    case customerID(String)
    /// A segment that does not look opaque.
    case segment(String)
    /// `settings.demo` where the environment is not `demo`.
    case demoOutsideDemo
    /// Less time between renewal point and expiry than people need, in seconds; whether the policy
    /// says `renew_before`, or half of the lifetime holds.
    case unoperable(renewBefore: Int64, needed: Int64, lifetime: Int64, isDeclared: Bool)
    /// The renewal point is at or before the beginning of a config's life, in seconds.
    case alwaysDue(renewBefore: Int64, lifetime: Int64)
    /// The rule of a waiver cannot be waived.
    case unwaivable(rule: String)
    /// A waiver that matches no finding.
    case unusedWaiver(file: String, pointer: String, rule: String)
    /// The compiled payload would be over the signing limit, in bytes.
    case payloadSize(found: Int, atMost: Int)
    /// A source file has more bytes than are read.
    case fileSize(atMost: Int)
    /// A file whose name ends almost like a campaign's and is not read.
    case ignoredFile(name: String)
    /// Further findings of the same weight in this file, which are not listed.
    case more(Int)
    /// The folder has no `workspace.json`.
    case noPolicy
}
