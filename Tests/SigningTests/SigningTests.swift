// SigningTests
