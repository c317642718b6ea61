import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {CrossplaneError} from '../errors.js'
import type {DiffFile, DiffProgram} from '../pipeline/cluster/diff.js'
import {quoted} from '../text.js'
import {reasonOf, systemCode} from './file-system.js'

/** The status of a program that a signal ended, as in a shell. */
const KILLED = 128

/**
 * Runs a diff program as kubectl does: on a folder LIVE and a folder MERGED with a file for each object, empty where the
 * object does not exist, then the program's own arguments. Its output is that of this program. Throws `output-failed` if
 * it cannot be run.
 */
export const runDiffProgram: DiffProgram = async (command, files) => {
  const folders: string[] = []
  try {
    for (const name of ['LIVE-', 'MERGED-']) folders.push(await mkdtemp(join(tmpdir(), name)))
    const [live = '', merged = ''] = folders
    for (const file of files) await writeVersions(file, live, merged)
    const [program = '', ...args] = command
    return await run(program, [live, merged, ...args])
  } finally {
    for (const folder of folders) await rm(folder, {recursive: true, force: true})
  }
}

async function writeVersions({name, before = '', after = ''}: DiffFile, live: string, merged: string) {
  await writeFile(join(live, name), before, {mode: 0o600, flag: 'wx'})
  await writeFile(join(merged, name), after, {mode: 0o600, flag: 'wx'})
}

async function run(program: string, args: readonly string[]): Promise<number> {
  try {
    const child = spawn(program, args, {shell: false, stdio: 'inherit'})
    const [status] = (await once(child, 'close')) as [status: number | null]
    return status ?? KILLED
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    const reason = code === 'ENOENT' ? 'program not found' : reasonOf(code)
    throw new CrossplaneError('output-failed', `cannot run ${quoted(program)}: ${reason}`, {
      cause,
      suggestions: ['Check KUBECTL_EXTERNAL_DIFF: it must name a diff program in PATH.'],
    })
  }
}
