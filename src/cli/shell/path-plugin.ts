import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {accessSync, constants, statSync} from 'node:fs'
import {delimiter, isAbsolute, join} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {SIGNAL_STATUS} from './exit-code.js'
import {whileProgramRuns} from './process-events.js'

/** A program of others that adds a command, and its arguments. */
export interface PathPlugin {
  readonly path: string
  readonly args: readonly string[]
}

const PREFIX = 'kubectl-crossplane'
/** The names of programs for Windows that run without a shell. */
const EXTENSION = process.platform === 'win32' ? '.exe' : ''

/**
 * Finds the program `kubectl-crossplane-WORD[-WORD…]` on PATH for a command that this program does not have, as kubectl
 * does: of several names the longest, with `_` in place of `-` in words.
 * https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/
 */
export function findPathPlugin(argv: readonly string[], path = ''): PathPlugin | undefined {
  const folders = path.split(delimiter).filter(isAbsolute)
  for (let length = commandWords(argv).length; length > 0; length -= 1) {
    const words = argv.slice(0, length).map(word => word.replaceAll('-', '_'))
    const name = `${[PREFIX, ...words].join('-')}${EXTENSION}`
    const program = folders.map(folder => join(folder, name)).find(isProgram)
    if (program !== undefined) return {path: program, args: argv.slice(length)}
  }
  return undefined
}

/** Runs it with the standard streams and the environment of this process; returns its exit status. */
export async function runPathPlugin({path, args}: PathPlugin): Promise<number> {
  const child = spawn(path, args, {stdio: 'inherit'})
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  try {
    const [status, signal] = await whileProgramRuns(child, () => ended)
    return status ?? statusOf(signal)
  } catch (cause) {
    throw new CrossplaneError('read-failed', `cannot run ${quoted(path)}`, {cause})
  }
}

/** The words before the first flag, as far as they can be part of a file name. */
function commandWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex(word => !/^[a-z0-9][\w.-]*$/i.test(word))
  return end === -1 ? argv : argv.slice(0, end)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function statusOf(signal: NodeJS.Signals | null): number {
  return signal !== null && signal in SIGNAL_STATUS ? SIGNAL_STATUS[signal as keyof typeof SIGNAL_STATUS] : 1
}
