// A worker whose runner was ended would go on with its tests, and with the servers that they start.
process.once('disconnect', () => process.exit(1))
