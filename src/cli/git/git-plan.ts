import type {Repository} from '../../commit/repository.js'
import {CrossplaneError} from '../../errors.js'
import {expectCommittable, type GitChange} from '../../pipeline/git/git-change.js'
import {type ChangeOutput, type changeFlags, showsObjects} from '../plan/change-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {confirm} from '../plan/confirm.js'
import {painter} from '../shell/text/paint.js'
import {isDocument, show} from '../shell/document/show.js'
import {formatPlanDocument, formatPlanText} from '../plan/show-plan.js'

/** What decides how a change is confirmed and shown. */
export interface GitRun {
  readonly flags: Pick<FlagValues<typeof changeFlags>, 'yes' | 'dry-run' | 'show-objects' | 'show-files'> & {
    readonly output: ChangeOutput
  }
  readonly argv: readonly string[]
}

/** Prompts for confirmation, unless the user gave it with `--yes`. Throws `declined`, and `usage` without a terminal. */
export async function expectConfirmed(question: string, {flags}: Pick<GitRun, 'flags'>): Promise<void> {
  if (flags.yes || (await confirm(question))) return
  throw new CrossplaneError('declined', 'the plan was not confirmed, and nothing was changed')
}

/** Prints a plan, with the message of its commit. Throws `git-refused` if it must not be committed. */
export async function preview(change: GitChange, repository: Repository, run: GitRun): Promise<void> {
  // Without a change there is no commit.
  await showPlan(change.isEmpty ? {...change, message: undefined} : change, repository, run)
  expectCommittable(change)
}

/** Prints a plan, after the message of its commit, if there is one. */
export async function showPlan(
  {plan, before, message}: Pick<GitChange, 'plan' | 'before'> & Partial<Pick<GitChange, 'message'>>,
  {name}: Pick<Repository, 'name'>,
  {flags, argv}: GitRun,
): Promise<void> {
  const {output} = flags
  const paint = painter(argv, 'stdout')
  const shown = {before, paint, showsObjects: showsObjects(flags), showsFiles: flags['show-files']}
  const text = () => formatPlanText(plan, name, {...shown, effect: message})
  await show(isDocument(output) ? formatPlanDocument(plan, output) : text())
}
