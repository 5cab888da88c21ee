import Testing

@testable import Publishing

@Suite struct XMLLeavesTests {
    private func leaves(_ text: String) -> [String]? {
        XMLLeaves(Array(text.utf8)).map { leaves in
            leaves.all.map { $0.path.joined(separator: "/") + "=" + $0.text }
        }
    }

    @Test(arguments: [
        ("<a><b>x</b></a>", ["b=x"]), ("<a/>", []), ("<a></a>", []),
        (
            "<?xml version=\"1.0\"?>\n<a>\n <b c='d' e=\"f\">x &amp; &lt;&#233;&#xE9;</b>\n <b/></a>\n",
            ["b=x & <éé", "b="]
        ),
        ("\u{FEFF}<a><b><c>1</c><d>2</d></b></a>", ["b/c=1", "b/d=2"]),
    ])
    func `The texts of small documents`(_ text: String, _ expected: [String]) {
        #expect(leaves(text) == expected)
    }

    @Test(arguments: [
        "", "x", "<a>", "<a></b>", "<a><b></a></b>", "<a>x</a><b/>", "<a/>x", "<a b=c/>",
        "<a b=\"<\"/>", "<!DOCTYPE a><a/>", "<a><!-- --></a>", "<a><![CDATA[x]]></a>",
        "<a>&nbsp;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&</a>", "<a>x<b/></a>",
        "<a><b><c><d><e><f><g><h><i/></h></g></f></e></d></c></b></a>", "<a><?pi x?></a>", "< a/>",
        "<a b=\"x/>", "<a/ >", "<ab=\"x\"/>",
    ])
    func `Nothing else is read`(_ text: String) {
        #expect(leaves(text) == nil)
    }

    @Test func `Bytes that are not UTF-8 are refused`() {
        #expect(XMLLeaves(Array("<a><b>".utf8) + [0xFF] + Array("</b></a>".utf8)) == nil)
    }

    @Test func `A list of objects`() throws {
        let list = try #require(
            S3Listing(
                Array(
                    """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                    <Name>b</Name><KeyCount>1</KeyCount><IsTruncated>true</IsTruncated>
                    <Contents><Key>p/a</Key><ETag>&quot;x&quot;</ETag><Owner><ID>t</ID></Owner></Contents>
                    <CommonPrefixes><Prefix>p/w/</Prefix></CommonPrefixes>
                    </ListBucketResult>
                    """.utf8)))
        #expect(list.keys == ["p/a"])
        #expect(list.prefixes == ["p/w/"])
        #expect(list.isTruncated)
        for text in [
            "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
            "<ListBucketResult><IsTruncated>yes</IsTruncated></ListBucketResult>",
            "<Error><Code>AccessDenied</Code></Error>",
        ] {
            #expect(S3Listing(Array(text.utf8)) == nil)
        }
    }
}
