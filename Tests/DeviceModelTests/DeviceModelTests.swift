// DeviceModelTests
