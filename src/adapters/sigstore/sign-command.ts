import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createPublicKey, verify} from 'node:crypto'
import {CrossplaneError} from '../../errors.js'
import type {SigningKey} from '../../signatures/key-signer.js'
import {escaped, quoted} from '../../text.js'
import {reasonOf, systemCode} from '../file-system.js'

/** A program that signs, and the public key of its signatures in PEM. */
export interface SignCommand {
  readonly command: readonly [string, ...string[]]
  readonly publicKey: string
  /** Milliseconds; five minutes by default, since a user may have to touch a device. */
  readonly timeoutMs?: number
}

/** A signature has at most a kilobyte, in base64 a little more. */
const MAX_OUTPUT = 64 * 1024
const TIMEOUT = 300_000

/**
 * Signs by a program, without a shell: it reads the bytes from standard input and writes the signature of their SHA-256 hash to
 * standard output, as it is or in base64. A signature that is not valid for the public key is not used. Throws `input-invalid`.
 */
export function commandKey({command, publicKey, timeoutMs = TIMEOUT}: SignCommand): SigningKey {
  const [program] = command
  const type = createPublicKey(publicKey).asymmetricKeyType
  if (type !== 'ec' && type !== 'rsa') {
    throw failed(
      program,
      `the public key is of the type ${quoted(type ?? '')}, not of RSA or an elliptic curve`,
    )
  }
  return {
    publicKey,
    sign: async bytes => {
      const output = await outputOf(command, bytes, timeoutMs)
      const signature = [output, decoded(output)].find(candidate => isSignature(candidate, bytes, publicKey))
      if (signature !== undefined) return signature
      throw failed(program, 'its output is not a signature that is valid for the public key', [
        'Check that --public-key belongs to it, and that it signs the SHA-256 hash of its input.',
      ])
    },
  }
}

function isSignature(signature: Uint8Array, bytes: Uint8Array, publicKey: string): boolean {
  return signature.length > 0 && verify('sha256', bytes, publicKey, signature)
}

function decoded(output: Buffer): Buffer {
  const text = output.toString('latin1').replaceAll(/\s/g, '')
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
}

async function outputOf(
  [program, ...args]: SignCommand['command'],
  input: Uint8Array,
  timeoutMs: number,
): Promise<Buffer> {
  const child = spawn(program, args, {shell: false, stdio: ['pipe', 'pipe', 'pipe']})
  let stopped: string | undefined
  const stop = (reason: string) => {
    stopped = reason
    child.kill('SIGKILL')
    // A process that the program started may keep the pipes open.
    child.stdout.destroy()
    child.stderr.destroy()
  }
  const timer = setTimeout(() => stop(`it did not exit within ${timeoutMs / 1000}s`), timeoutMs)
  const messages: Buffer[] = []
  try {
    child.stdin.on('error', () => undefined) // it may exit without reading
    child.stdin.end(input)
    child.stderr.on('data', (chunk: Buffer) => messages.push(chunk))
    const closed = once(child, 'close') as Promise<[number | null, string | null]>
    const [output, [status, signal]] = await Promise.all([bounded(child.stdout, stop), closed])
    if (status === 0) return output
    throw failed(program, `${stopped ?? endOf(status, signal)}${said(messages)}`)
  } catch (error) {
    if (error instanceof CrossplaneError) throw error
    if (stopped !== undefined) throw failed(program, `${stopped}${said(messages)}`)
    const code = systemCode(error)
    if (code === undefined) throw error
    throw failed(program, code === 'ENOENT' ? 'program not found' : reasonOf(code), [
      'Check the command of --sign-command: its first word is a program in PATH or the path of one.',
    ])
  } finally {
    clearTimeout(timer)
  }
}

function endOf(status: number | null, signal: string | null): string {
  return status === null ? `${signal ?? 'a signal'} ended it` : `it exited with ${status}`
}

async function bounded(stdout: AsyncIterable<Buffer>, stop: (reason: string) => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdout) {
    size += chunk.length
    if (size > MAX_OUTPUT) stop('its output is too large')
    else chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const SHOWN = 1000

/** The end of what a program said: its last lines have the cause. */
function said(messages: readonly Buffer[]): string {
  const text = Buffer.concat(messages).toString().trim()
  const shown = text.slice(-SHOWN).replaceAll(/\s*\n\s*/g, '; ')
  return shown === '' ? '' : `: ${chunks(shown).map(escaped).join('')}`
}

/** `escaped` shortens long texts. */
function chunks(text: string): readonly string[] {
  return text.match(/[^]{1,200}/gu) ?? []
}

function failed(program: string, why: string, suggestions: readonly string[] = []): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot sign with ${quoted(program)}: ${why}`, {suggestions})
}
