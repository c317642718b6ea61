import {CrossplaneError} from '../../errors.js'
import type {SavedPlan} from '../../pipeline/render/write-output.js'
import {MAX_PLAN_BYTES} from '../../plan/plan-document.js'
import {commonFlags} from '../flags/global.js'
import {readNamedFile} from '../wire.js'

const ALLOWED: readonly string[] = ['plan', 'output-dir', 'dry-run', 'output', ...Object.keys(commonFlags)]

/**
 * Reads the plan of --plan. Throws `usage` for other flags that select what to render: `written` are the names of the
 * flags on the command line.
 */
export async function savedPlan(
  file: string,
  ref: string | undefined,
  written: ReadonlySet<string>,
): Promise<SavedPlan> {
  const flag = [...written].find(each => !ALLOWED.includes(each))
  const other = ref ?? (flag === undefined ? undefined : `--${flag}`)
  if (other !== undefined) {
    throw new CrossplaneError('usage', `${other} and --plan are mutually exclusive`, {
      suggestions: [`Remove ${other}: the plan has every change.`],
    })
  }
  return {name: file, bytes: await readNamedFile(file, MAX_PLAN_BYTES)}
}
