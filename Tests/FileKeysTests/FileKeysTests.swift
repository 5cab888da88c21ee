// FileKeysTests
