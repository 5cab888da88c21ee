import TestSupport

/// Numbers of the curve (SEC 2, 2.4.2).
enum P256 {
    /// X and Y of the base point, which belongs to the private value 1.
    static let base = bytes(
        hex: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
    /// The same with the other Y, which belongs to the private value n−1.
    static let negatedBase = bytes(
        hex: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            + "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a")
    static let order = bytes(
        hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    static let orderLessOne = bytes(
        hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550")
    static let orderAndOne = bytes(
        hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552")
    static let one = [UInt8](repeating: 0, count: 31) + [1]
    static let zero = [UInt8](repeating: 0, count: 32)
}
