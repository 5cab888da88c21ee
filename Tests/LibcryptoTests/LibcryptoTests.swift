// LibcryptoTests
