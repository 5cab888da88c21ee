import GronaPublishCommand

PublishProgram.main()
