import {execFile} from 'node:child_process'
import {constants} from 'node:fs'
import {access, readdir, realpath, stat} from 'node:fs/promises'
import {delimiter, isAbsolute, join} from 'node:path'
import {promisify} from 'node:util'
import type {KubectlOutput, ProgramFile} from '../doctor/check-programs.js'
import type {Programs} from '../pipeline/doctor/ports.js'
import {reasonOf, systemCode} from './file-system.js'

/** The program that runs, and the folders that it finds others in. */
export interface ProgramOptions {
  readonly path: string
  /** The file that Node.js was started with. */
  readonly self: string
}

/** Finds programs as kubectl does: relative folders of PATH are ignored. */
export function programsOn({path, self}: ProgramOptions): Programs {
  return {
    async find(prefix) {
      const own = await realpath(self).catch(() => self)
      const programs: ProgramFile[] = []
      for (const folder of new Set(path.split(delimiter).filter(isAbsolute))) {
        for (const name of await namesIn(folder, prefix)) {
          const file = join(folder, name)
          if (!(await isExecutable(file))) continue
          programs.push({path: file, name, isSelf: (await realpath(file).catch(() => file)) === own})
        }
      }
      return programs
    },
    kubectl: () => runKubectl(path),
  }
}

/** A folder that cannot be read has no programs for this user. */
async function namesIn(folder: string, prefix: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter(name => name.startsWith(prefix)).sort()
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

const TIMEOUT_MS = 20_000
const MAX_OUTPUT = 64 * 1024

async function runKubectl(path: string): Promise<KubectlOutput> {
  const options = {timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, env: {...process.env, PATH: path}}
  try {
    const args = ['version', '--client', '--output=json']
    const {stdout} = await promisify(execFile)('kubectl', args, options)
    return {kind: 'printed', text: stdout}
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return {kind: 'absent'}
    return {kind: 'failed', reason: code === undefined ? failureReason(error) : reasonOf(code)}
  }
}

function failureReason(error: unknown): string {
  const {killed, code} = error as {readonly killed?: boolean; readonly code?: number | null}
  if (killed === true) return `timed out after ${TIMEOUT_MS / 1000}s`
  return typeof code === 'number' ? `it exited with ${code}` : 'it failed'
}
