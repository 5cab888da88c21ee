package import GronaFormats
package import JOSE
package import StrictJSON

/// Which of the three batches runs.
package enum BatchKind: Hashable, Sendable {
    case renew(allowsDisable: Bool)
    case restore
    case bundle
}

/// One line of a batch, read strictly: members that are not of its kind are refused.
package struct BatchRequest: Sendable {
    /// What the caller knows the request by: any text or number, given back as it came.
    package let id: JSONElement
    package let envelope: FlattenedJWS
    package let lifetime: LifetimeRequest
    package let act: Act

    /// What the three kinds have of their own.
    package enum Act: Sendable {
        case renew(version: ConfigVersion, disabling: [String])
        case restore(version: ConfigVersion, served: FlattenedJWS)
        case bundle(keepsOffers: Bool)
        /// Nothing is signed: whether this signer stands by the envelope.
        case standing
    }

    /// Reads a line.
    ///
    /// - Throws: a problem together with the id, where the line has one.
    package init(_ line: [UInt8], kind: BatchKind) throws(BatchLineError) {
        let root: JSONElement
        do {
            root = try JSONDocument.parse(line).root
        } catch {
            throw BatchLineError(nil, .json(error))
        }
        guard root.kind == .object else { throw BatchLineError(nil, .notAnObject) }
        guard let id = root["id"], id.kind == .string || id.integer != nil else {
            throw BatchLineError(nil, .member("id"))
        }
        do throws(BatchProblem) {
            for member in root.members where !Self.members(kind).contains(member.name) {
                throw .unknownMember(member.name)
            }
            self.id = id
            envelope = try Self.envelope(root, "envelope")
            lifetime = try Self.lifetime(root)
            act =
                switch kind {
                case .renew where root["standing"] != nil: try Self.standing(root)
                case .renew:
                    .renew(
                        version: try Self.version(root),
                        disabling: try Self.disabling(root, kind))
                case .restore:
                    .restore(
                        version: try Self.version(root),
                        served: try Self.envelope(root, "served"))
                case .bundle: .bundle(keepsOffers: try Self.keepsOffers(root))
                }
        } catch {
            throw BatchLineError(id, error)
        }
    }

    private static func members(_ kind: BatchKind) -> [String] {
        switch kind {
        case .renew: ["id", "envelope", "version", "lifetime", "disable", "standing"]
        case .restore: ["id", "envelope", "served", "version", "lifetime"]
        case .bundle: ["id", "envelope", "lifetime", "keep_offers"]
        }
    }

    private static func envelope(
        _ root: JSONElement, _ name: String
    ) throws(BatchProblem) -> FlattenedJWS {
        guard let value = root[name] else { throw .missingMember(name) }
        do {
            return try FlattenedJWS(value)
        } catch {
            throw .envelope(name)
        }
    }

    private static func version(_ root: JSONElement) throws(BatchProblem) -> ConfigVersion {
        guard let value = root["version"] else { throw .missingMember("version") }
        guard let version = value.integer.flatMap({ ConfigVersion($0) }) else {
            throw .member("version")
        }
        return version
    }

    /// Seconds, or a text such as `12h`.
    private static func lifetime(_ root: JSONElement) throws(BatchProblem) -> LifetimeRequest {
        guard let value = root["lifetime"] else { return .standard }
        if let seconds = value.integer { return .lifetime(DurationSeconds(seconds)) }
        guard let text = value.string, let lifetime = try? DurationSeconds(parsing: text) else {
            throw .member("lifetime")
        }
        return .lifetime(lifetime)
    }

    private static func disabling(
        _ root: JSONElement, _ kind: BatchKind
    ) throws(BatchProblem) -> [String] {
        guard let value = root["disable"] else { return [] }
        guard value.kind == .array else { throw .member("disable") }
        var ids: [String] = []
        for element in value.elements {
            guard let id = element.string else { throw .member("disable") }
            ids.append(id)
        }
        guard ids.isEmpty || kind == .renew(allowsDisable: true) else { throw .disableNotAllowed }
        return ids
    }

    /// A question has nothing beside the envelope that it is about.
    private static func standing(_ root: JSONElement) throws(BatchProblem) -> Act {
        guard root["standing"]?.boolean == true else { throw .member("standing") }
        for member in root.members where !["id", "envelope", "standing"].contains(member.name) {
            throw .unknownMember(member.name)
        }
        return .standing
    }

    private static func keepsOffers(_ root: JSONElement) throws(BatchProblem) -> Bool {
        guard let value = root["keep_offers"] else { return false }
        guard let flag = value.boolean else { throw .member("keep_offers") }
        return flag
    }
}

/// What is wrong with a line of a batch.
package enum BatchProblem: Error, Sendable, Equatable {
    /// More bytes than a line may have.
    case tooLong(limit: Int)
    case json(JSONError)
    case notAnObject
    case missingMember(String)
    case unknownMember(String)
    /// A member of another type or form.
    case member(String)
    /// No object with exactly the three members of an envelope.
    case envelope(String)
    /// Switching off is for a batch that was started for it.
    case disableNotAllowed
}

/// A line that is no request, with its id where it has one.
package struct BatchLineError: Error, Sendable {
    package let id: JSONElement?
    package let problem: BatchProblem

    package init(_ id: JSONElement?, _ problem: BatchProblem) {
        self.id = id
        self.problem = problem
    }
}
