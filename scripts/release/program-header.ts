import {FUSE} from './executable.js'

const ELF = new Map([
  [0x3e, 'linux/amd64'],
  [0xb7, 'linux/arm64'],
])
const MACH_O = new Map([
  [0x01000007, 'darwin/amd64'],
  [0x0100000c, 'darwin/arm64'],
])
const PE = new Map([
  [0x8664, 'windows/amd64'],
  [0xaa64, 'windows/arm64'],
])

/** Returns the platform for which a program of 64 bits was compiled, such as `linux/amd64`, by its header. */
export function platformOfProgram(program: Uint8Array): string | undefined {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength)
  if (bytes.length < 64) return undefined
  if (bytes.readUInt32BE(0) === 0x7f454c46) return ELF.get(bytes.readUInt16LE(18))
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return MACH_O.get(bytes.readUInt32LE(4))
  const header = bytes.readUInt32LE(0x3c)
  const isPe =
    bytes.toString('latin1', 0, 2) === 'MZ' && bytes.toString('latin1', header, header + 4) === 'PE\0\0'
  return isPe ? PE.get(bytes.readUInt16LE(header + 4)) : undefined
}

/** Returns whether a program of Node contains an application. */
export function isApplication(program: Uint8Array): boolean {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength)
  return bytes.includes(`${FUSE}:1`, 0, 'latin1')
}
