import {CrossplaneError} from '../../errors.js'
import type {ClusterDiff, DiffFile, ObjectDiff} from '../../pipeline/cluster/diff.js'
import {quoted} from '../../text.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {FOUND} from '../shell/exit-code.js'
import {diffProgram} from '../wire.js'
import {objectFileName} from '../shell/text/object-file-name.js'

/**
 * The diff program of KUBECTL_EXTERNAL_DIFF with its arguments, as kubectl reads it: divided at blanks, and arguments of
 * other characters than letters, digits, `-` and `=` are left out.
 */
export function externalDiff({KUBECTL_EXTERNAL_DIFF: text = ''}: NodeJS.ProcessEnv): readonly string[] {
  const [program = '', ...args] = text.split(' ')
  return program === '' ? [] : [program, ...args.filter(arg => /^[a-zA-Z0-9=-]+$/.test(arg))]
}

/** Runs the user's diff program; returns whether it found differences. Throws `output-failed` if it fails. */
export async function runExternalDiff({objects}: ClusterDiff, command: readonly string[]): Promise<boolean> {
  const status = await diffProgram(command, diffFiles(objects))
  if (status <= FOUND) return status === FOUND
  const program = quoted(command.join(' '))
  throw new CrossplaneError('output-failed', `cannot show the differences: ${program} exited with ${status}`)
}

/** Objects whose names give the same file name get a number, so that each has a file. */
function diffFiles(objects: readonly ObjectDiff[]): readonly DiffFile[] {
  const taken = new Set<string>()
  return objects.map(({object, before, after}) => {
    const base = objectFileName(object)
    let name = base
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base}.${number}`
    taken.add(name.toLowerCase())
    return {name, before: before && writeYaml([before]), after: after && writeYaml([after])}
  })
}
