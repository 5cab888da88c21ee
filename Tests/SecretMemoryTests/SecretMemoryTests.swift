// SecretMemoryTests
