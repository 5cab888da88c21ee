import CommandLineKit
import Testing

@Suite struct AddressTextTests {
    @Test(arguments: [
        ("https://user:secret@h/x", "https://…@h/x"), ("https://secret@h", "https://…@h"),
        ("https://u:se/cret@h/x", "https://…@h/x"), ("https://u:a@b@h/", "https://…@h/"),
        ("s3://b?endpoint=https://u:p@h&region=x", "s3://b?endpoint=https://…@h&region=x"),
        ("https://h/a@b", "https://h/a@b"), ("https://h:80/a@b", "https://h:80/a@b"),
        ("file:/a@b", "file:/a@b"), ("", ""),
        ("s3://b?endpoint=https%3A%2F%2Fu:p@h", "s3://b?endpoint=https%3A%2F%2F…@h"),
        ("s3://b?endpoint=https:/%2fu@h/", "s3://b?endpoint=https:/%2f…@h/"),
    ])
    func `What may be a password is not shown`(_ text: String, _ shown: String) {
        #expect(AddressText.redacted(text) == shown)
    }
}
