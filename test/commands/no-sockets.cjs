// Preloaded by a suite: a process that opens a socket, or asks for an address, says so and ends.
const dns = require('node:dns')
const {writeSync} = require('node:fs')
const net = require('node:net')

/** @param {string} what */
const refuse = what => () => {
  writeSync(2, `OPENED A SOCKET: ${what}\n`)
  process.exit(99)
}
net.Socket.prototype.connect = refuse('connect')
Object.assign(dns, {lookup: refuse('lookup')})
