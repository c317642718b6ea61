import {existsSync} from 'node:fs'
import type {Command} from '@oclif/core/command'
import {changedTexts, distinctDiagnostics} from '../../diagnostic.js'
import {CrossplaneError, withTexts} from '../../errors.js'
import {updateBranches, type UpdatesReport} from '../../pipeline/git/update-branches.js'
import {explainUpdate} from '../../pipeline/git/explain-update.js'
import type {UpdatePorts} from '../../pipeline/git/update-plan.js'
import {homeIn, treeIn} from '../../plan/folder/home.js'
import {present} from '../../present.js'
import {withoutCredentials} from '../../without-credentials.js'
import {httpOptions} from '../registry/http-options.js'
import {githubPlace} from './github-place.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {pullFlags} from '../sources/pull-flags.js'
import type {reportOutputFlag} from '../shell/flags/output-flags.js'
import type {packageUpdateFlags} from './update-branch-flags.js'
import {nearestHome} from '../sources/default-declaration.js'
import {updateQuery} from './update-query.js'
import {
  formatDocument,
  isDocument,
  show,
  showNothingFound,
  showNotes,
  showWarnings,
} from '../shell/document/show.js'
import {formatExplanation, formatUpdates, updatesDocument} from './show-updates.js'
import {progress} from '../shell/progress/progress.js'
import type {Progress} from '../shell/progress/step-event.js'
import {requestPorts} from '../packages/package-ports.js'
import {plainText} from '../shell/text/plain-text.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {clock, http, imageOutputs, openUpdates, workingTreeFolder} from '../wire.js'

type Flags = FlagValues<typeof packageUpdateFlags & typeof pullFlags & typeof reportOutputFlag>

/** The flags of a command that makes branches of any kind. */
export type BranchFlags = Parameters<typeof requestPorts>[0] &
  Pick<Flags, 'pr' | 'pr-api' | 'pr-repository' | 'dry-run' | 'push'> & {
    readonly git: string
    readonly explain?: string
    readonly 'body-file'?: string
    readonly output: string
  }

/** Makes the branches of updates, and prints what became of them. Returns whether a group could not be updated. */
export async function updateHome(
  names: readonly string[],
  flags: Flags,
  {argv}: Pick<Command, 'argv'>,
): Promise<boolean> {
  const {git, branch, remote, push} = flags
  const query = updateQuery(names, flags, (await clock()).now())
  const home = homeIn(flags.path ?? nearestHome(git))
  const shown = progress(argv)
  shown.report({kind: 'step', name: `Opening ${withoutCredentials(git)}`})
  const place = {git, push, tree: treeIn(home), ...{branch, remote}}
  return await withUpdates(place, {flags, shown}, async ports => {
    if (flags.explain !== undefined) {
      const explanation = await explainUpdate(query, home, ports).finally(shown.end)
      await show(
        isDocument(flags.output)
          ? formatDocument({kind: 'UpdateExplanation', ...explanation}, flags.output)
          : formatExplanation(explanation),
      )
      return false
    }
    const report = await updateBranches(query, home, ports).finally(shown.end)
    await showUpdates(report, {flags, argv, ...present({named: ports.repository.shown})})
    return report.updates.some(({error}) => error !== undefined)
  })
}

/** Opens a repository for branches, runs a command with it and closes it. Errors name the repository as the user does. */
export async function withUpdates<T>(
  place: Parameters<typeof openUpdates>[0],
  {flags, shown}: {readonly flags: BranchFlags; readonly shown: Progress},
  run: (ports: OpenUpdates) => Promise<T>,
): Promise<T> {
  const forge = await forgePorts(flags, shown)
  const repository = await openUpdates(place).finally(shown.end)
  try {
    return await run({repository, ...(await updatePorts(flags, shown)), ...forge})
  } catch (error) {
    throw error instanceof CrossplaneError && repository.shown !== undefined
      ? withTexts(error, repository.shown)
      : error
  } finally {
    shown.end()
    await repository.close()
  }
}

type OpenUpdates = UpdatePorts & {readonly repository: Awaited<ReturnType<typeof openUpdates>>}

/** Returns what makes the commits of branches. */
async function updatePorts(flags: BranchFlags, shown: Progress): Promise<Omit<UpdatePorts, 'repository'>> {
  const outputs = await imageOutputs()
  return {
    folder: workingTreeFolder,
    file: path => outputs.file(path),
    // The declaration has the registry: the variable of the flag has no effect.
    requests: requestPorts({...flags, 'default-source': undefined}, shown),
  }
}

/** Opens the API of GitHub, if requests are opened there. Throws `usage`. */
async function forgePorts(flags: BranchFlags, shown: Progress): Promise<Pick<UpdatePorts, 'forge'>> {
  if (flags.pr === undefined || flags['dry-run'] === 'client' || flags.explain !== undefined) return {}
  if (!flags.push && existsSync(flags.git)) {
    throw new CrossplaneError('usage', `--pr ${flags.pr} requires --push`, {
      suggestions: ['Pass --push, or --git with a URL.'],
    })
  }
  if (flags.pr === 'gitlab') return {}
  const place = githubPlace(flags, process.env)
  const {githubForge} = await import('../../commit/github-forge.js')
  // Skipping the verification of registries is not meant for a token of GitHub.
  const options = httpOptions({...flags, 'insecure-skip-tls-verify': false}, process.env, [])
  const forge = githubForge(place, {http: await http(options), clock: await clock(), report: shown.report})
  return {forge}
}

interface Shown {
  readonly flags: Pick<BranchFlags, 'output' | 'dry-run' | 'body-file'>
  readonly argv: readonly string[]
  /** Names the repository in place of the temporary working tree. */
  readonly named?: (text: string) => string
}

/** Prints what became of branches. */
export async function showUpdates(
  report: UpdatesReport,
  {flags, argv, named = text => text}: Shown,
): Promise<void> {
  const {output} = flags
  const isDryRun = flags['dry-run'] === 'client'
  const namedReport = {
    ...report,
    updates: report.updates.map(update =>
      update.error === undefined ? update : {...update, error: withTexts(update.error, named)},
    ),
  }
  const warnings = new Map(
    [report, ...report.updates].flatMap(one =>
      one.warnings.map(warning => [warning.message, changedTexts(warning, named)] as const),
    ),
  )
  showWarnings({warnings: [...warnings.values()]}, argv)
  const notes = report.updates.flatMap(one => one.notes ?? [])
  showNotes(
    distinctDiagnostics(notes).map(note => changedTexts(note, named)),
    argv,
  )
  if (!isDryRun) await writeBody(namedReport, flags['body-file'])
  if (!isQuietRun(argv)) {
    for (const line of report.updates.flatMap(({messages}) => messages))
      process.stderr.write(`${plainText(line)}\n`)
  }
  if (isDocument(output)) return await show(formatDocument(updatesDocument(namedReport, isDryRun), output))
  const text = formatUpdates(namedReport, isDryRun)
  if (text === '') showNothingFound('nothing to update')
  else await show(text)
}

/** Writes the text of the pull request of the only branch. */
async function writeBody({updates}: UpdatesReport, file: string | undefined): Promise<void> {
  if (file === undefined) return
  const [body = ''] = updates.flatMap(update => (update.body === undefined ? [] : [update.body]))
  await (await imageOutputs()).file(file).write(pieces(body))
}

async function* pieces(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}
