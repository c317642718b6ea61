import {execFile, spawn} from 'node:child_process'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {buffer} from 'node:stream/consumers'
import {promisify} from 'node:util'

/** One member as Go's archive/tar reads it; `content` is the SHA-256 of a regular file's, in hex. */
export interface GoEntry {
  readonly name: Buffer
  readonly linkName: Buffer
  readonly type: string
  readonly isSparse: boolean
  readonly content?: string
}

/** A tar as Go reads it: the members up to the end, or up to an error. */
export interface GoListing {
  readonly entries: readonly GoEntry[]
  readonly error?: string
}

/** The program of this folder, built. */
export interface GoTar {
  list(tars: readonly Uint8Array[]): Promise<readonly GoListing[]>
  remove(): Promise<void>
}

/** Builds the program of this folder; it needs Go's standard library only. */
export async function buildGoTar(): Promise<GoTar> {
  const folder = await mkdtemp(join(tmpdir(), 'kubectl-crossplane-go-tar-'))
  const program = join(folder, 'go-tar')
  await promisify(execFile)('go', ['build', '-o', program, '.'], {
    cwd: import.meta.dirname,
    env: {...process.env, GOPROXY: 'off', GOFLAGS: '', GOTOOLCHAIN: 'local'},
  })
  return {list: tars => listed(program, tars), remove: () => rm(folder, {recursive: true})}
}

async function listed(program: string, tars: readonly Uint8Array[]): Promise<readonly GoListing[]> {
  const child = spawn(program, {stdio: ['pipe', 'pipe', 'inherit']})
  const printed = buffer(child.stdout)
  child.stdin.end(Buffer.concat(tars.flatMap(tar => [lengthOf(tar), tar])))
  const lines = (await printed).toString('utf8').split('\n').slice(0, -1)
  return lines.map(line => parsed(JSON.parse(line) as Printed))
}

interface Printed extends Omit<GoListing, 'entries'> {
  readonly entries: readonly (Omit<GoEntry, 'name' | 'linkName'> & {
    readonly name: string
    readonly linkName: string
  })[]
}

function parsed({entries, error}: Printed): GoListing {
  return {
    entries: entries.map(entry => ({
      ...entry,
      name: Buffer.from(entry.name, 'base64'),
      linkName: Buffer.from(entry.linkName, 'base64'),
    })),
    error,
  }
}

function lengthOf(tar: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(tar.length)
  return length
}
