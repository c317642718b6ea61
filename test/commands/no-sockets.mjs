// Preloaded by a suite: a process that opens a socket, or asks for an address, says so and ends.
import dns from 'node:dns'
import net from 'node:net'
import {writeSync} from 'node:fs'

/** @param {string} what */
const refuse = what => () => {
  writeSync(2, `OPENED A SOCKET: ${what}\n`)
  process.exit(99)
}
net.Socket.prototype.connect = refuse('connect')
Object.assign(dns, {lookup: refuse('lookup')})
