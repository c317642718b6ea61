import {ownerRows, signerRows} from '../../inspect/summary-rows.js'
import type {Plan} from '../../plan/plan.js'
import {planDocument} from '../../plan/plan-document.js'
import {shownOwners} from '../../resolve/first-owners.js'
import {lines} from '../shell/text/lines.js'
import {ownersInDocument} from '../shell/document/owners-in-document.js'
import type {Paint} from '../shell/text/paint.js'
import {formatPlanText} from './show-plan.js'
import {formatDocument, type OutputFormat} from '../shell/document/show.js'
import {formatTable} from '../shell/text/table.js'
import type {LockReport} from '../../package/reports.js'

/** A file that a plan changes, and its current content. */
interface PlannedFile {
  readonly name: string
  readonly before?: string
  readonly plan: Plan
}

/** The owners of groups that a resolution uses for the first time, or has changed, and the changed signers. */
type PlannedOwners = Pick<LockReport, 'firstOwners' | 'ownerChanges' | 'signerChanges'>

/** The plans of the files of a lock, as text or as a document; the first file names them all. */
export function formatFilePlans(
  files: readonly PlannedFile[],
  {firstOwners, ownerChanges, signerChanges}: PlannedOwners,
  {output}: {readonly output: 'text' | OutputFormat},
  paint: Paint,
  rejections: Plan['rejections'] = [],
): string {
  const plan: Plan = {
    operations: files.flatMap(file => file.plan.operations),
    unchanged: files.reduce((sum, file) => sum + file.plan.unchanged, 0),
    rejections,
  }
  if (output !== 'text')
    return formatDocument(
      {...planDocument(plan), ...ownersInDocument([], ownerChanges, signerChanges)},
      output,
    )
  const before = files.flatMap(file =>
    file.before === undefined
      ? []
      : file.plan.operations.map(({path = ''}) => [path, file.before ?? ''] as const),
  )
  const owners = formatTable(
    [...ownerRows(shownOwners(firstOwners, ownerChanges)), ...signerRows(signerChanges)],
    paint,
    '',
  )
  const text = formatPlanText(plan, files[0]?.name ?? '', {
    before: new Map(before),
    paint,
    showsObjects: true,
    showsFiles: true,
  })
  return lines(owners) + text
}
