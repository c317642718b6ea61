import {CrossplaneError} from '../../errors.js'
import {MAX_PLAN_BYTES} from '../../plan/read-plan.js'
import type {SavedPlan} from '../../pipeline/render/write-output.js'
import {commonFlags} from '../shell/flags/common-flags.js'
import {readNamedFile} from '../wire.js'

const FOLDER_FLAGS: readonly string[] = [
  'plan',
  'output-dir',
  'dry-run',
  'show-objects',
  'output',
  ...Object.keys(commonFlags),
]

/** The words of a command line, besides the values of flags. */
export interface WrittenWords {
  /** The first argument. */
  readonly ref: string | undefined
  /** Names of the flags. */
  readonly flagNames: ReadonlySet<string>
}

/**
 * Reads the plan of --plan. Throws `usage` for other words of the command line that select what to do: flags that are
 * not `allowed`, and arguments.
 */
export async function savedPlan(
  file: string,
  {ref, flagNames}: WrittenWords,
  allowed: readonly string[] = FOLDER_FLAGS,
): Promise<SavedPlan> {
  const flag = [...flagNames].find(text => !allowed.includes(text))
  const other = ref ?? (flag === undefined ? undefined : `--${flag}`)
  if (other !== undefined) {
    throw new CrossplaneError('usage', `${other} and --plan are mutually exclusive`, {
      suggestions: [`Remove ${other}: the plan has every change.`],
    })
  }
  return {name: file, bytes: await readNamedFile(file, MAX_PLAN_BYTES)}
}
