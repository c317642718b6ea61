import type {FolderPreview, FolderWrite} from '../../commit/write-folder.js'
import {
  type GivenOutput,
  previewOutput,
  previewSavedPlan,
  type SavedPlan,
  writeOutput,
  writeSavedPlan,
} from '../../pipeline/render/write-output.js'
import type {RenderedSets} from '../../package/rendered-sets.js'
import {formatPlan} from '../../plan/plan-document.js'
import {expectExecutable} from '../../plan/rejection.js'
import {outputFolder, repositoryPaths} from '../wire.js'
import {formatAnnotations} from '../shell/ci/github-annotation.js'
import {painter} from '../shell/text/paint.js'
import {planAnnotations} from '../shell/ci/reported-annotations.js'
import {savePlan} from '../plan/save-plan.js'
import {formatJson, type OutputFormat, show, showNotes} from '../shell/document/show.js'
import {formatPlanText, riskLines} from '../plan/show-plan.js'

/** A query for an output folder: to write it, or to show the plan for it and optionally save that plan. */
export interface OutputDirQuery {
  readonly folder: string
  readonly output: GivenOutput
  readonly dryRun: boolean
  /** The file to save the plan to; nothing is written to the folder then. */
  readonly planOut?: string
  readonly format: OutputFormat | 'github'
  /** Shows each file of the plan with its reason. */
  readonly showsObjects: boolean
  readonly argv: readonly string[]
}

/** Writes a rendered set or executes a saved plan, or shows the changes that this would make. */
export async function toOutputDir(source: RenderedSets | SavedPlan, query: OutputDirQuery): Promise<void> {
  const folder = await outputFolder(query.folder)
  const isPreview = query.dryRun || query.planOut !== undefined
  if ('bytes' in source) {
    if (isPreview) return await showPreview(await previewSavedPlan(source, folder), query)
    return await showChange(await writeSavedPlan(source, folder), query)
  }
  const path = async () => (await repositoryPaths.pathOf(query.folder)) ?? ''
  const place = {folder, path}
  if (isPreview) return await showPreview(await previewOutput(source, place, query.output), query)
  const {change, notes} = await writeOutput(source, place, query.output)
  await showChange(change, query)
  showNotes(notes, query.argv)
}

async function showPreview({plan, before}: FolderPreview, query: OutputDirQuery): Promise<void> {
  const {folder, planOut, format, argv, showsObjects} = query
  if (format === 'json') await show(formatPlan(plan))
  else if (format === 'github') await show(formatAnnotations(planAnnotations(plan, folder)))
  else
    await show(
      formatPlanText(plan, folder, {before, paint: painter(argv, 'stdout'), showsObjects, showsFiles: true}),
    )
  expectExecutable(plan, folder)
  if (planOut !== undefined) await savePlan(plan, planOut)
}

/** Reports the changes: for users on stderr, as JSON on stdout. */
export async function showChange(
  change: FolderWrite,
  {folder, format, argv}: Pick<OutputDirQuery, 'folder' | 'argv'> & {readonly format: string},
): Promise<void> {
  if (format === 'json') return await show(formatJson({kind: 'FolderChange', folder, ...change}))
  const {written: writtenPaths, deleted, unchanged, risks, recovered} = change
  const paint = painter(argv)
  const reported = [
    ...(recovered === undefined ? [] : [`An interrupted write was ${recovered} first.`]),
    ...risks.flatMap(risk => riskLines(risk, paint)),
    `${folder}: ${writtenPaths.length} written, ${deleted.length} deleted, ${unchanged} unchanged`,
  ]
  process.stderr.write(`${reported.join('\n')}\n`)
}
