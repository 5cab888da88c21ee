// ES256Tests
