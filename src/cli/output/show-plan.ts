import type {Diagnostic} from '../../diagnostic.js'
import {objectText} from '../../kubernetes/object-key.js'
import type {Operation, Plan} from '../../plan/plan.js'
import {planDocument} from '../../plan/plan-document.js'
import {lines} from './lines.js'
import {onCluster} from './on-cluster.js'
import type {Paint} from './paint.js'
import {formatDiagnostic} from './format-diagnostic.js'
import {plainLine, plainText} from './plain-text.js'
import {formatDocument, type OutputFormat} from './show.js'
import {unifiedDiff} from './unified-diff.js'

/**
 * A plan for users: each operation with its reason, risks and the diff of its file, then how many of each there are.
 * `before` has the current contents of the files, `name` is the target as the user named it.
 */
export function formatPlanText(
  plan: Plan,
  before: ReadonlyMap<string, string>,
  name: string,
  paint: Paint,
): string {
  return lines([
    ...plan.operations.flatMap(operation => operationLines(operation, before, paint)),
    ...plan.rejections.map(rejection => `${paint('red', 'rejected')} ${formatDiagnostic(rejection)}`),
    `${plainText(name)}: ${summaryOf(plan)}`,
  ])
}

/** A file that a plan changes, and its current content. */
interface PlannedFile {
  readonly name: string
  readonly before?: string
  readonly plan: Plan
}

/** The plans of files, as text or as a document; the first file names them all. */
export function formatFilePlans(
  files: readonly PlannedFile[],
  {output}: {readonly output: 'text' | OutputFormat},
  paint: Paint,
): string {
  const plan: Plan = {
    operations: files.flatMap(file => file.plan.operations),
    unchanged: files.reduce((sum, file) => sum + file.plan.unchanged, 0),
    rejections: [],
  }
  if (output !== 'text') return formatDocument(planDocument(plan), output)
  const before = files.flatMap(file =>
    file.before === undefined
      ? []
      : file.plan.operations.map(({path = ''}) => [path, file.before ?? ''] as const),
  )
  return formatPlanText(plan, new Map(before), files[0]?.name ?? '', paint)
}

function operationLines(
  {action, path = '', object, reason, risks = [], content}: Operation,
  before: ReadonlyMap<string, string>,
  paint: Paint,
): readonly string[] {
  const shown = object === undefined ? '' : ` (${objectText(object)})`
  const diff = unifiedDiff({path, before: before.get(path), after: content})
  return [
    paint('bold', plainText(`${verbOf(action)} ${path}${shown}: ${reason}`)),
    ...risks.flatMap(risk => riskLines(risk, paint)).map(line => `  ${line}`),
    ...diff.map(plainLine),
  ]
}

/** Names an action as users know it. */
export function verbOf(action: Operation['action']): string {
  return action === 'create-only' ? 'create' : action
}

/** A warning, and the commands that help. */
export function riskLines(risk: Diagnostic, paint: Paint, argv: readonly string[] = []): readonly string[] {
  const suggestions = (risk.suggestions ?? []).map(
    text => `${paint('bold', 'Try:')} ${plainText(onCluster(text, argv))}`,
  )
  return [`${paint('yellow', 'Warning:')} ${formatDiagnostic(risk)}`, ...suggestions]
}

function summaryOf({operations, unchanged, rejections}: Plan): string {
  const actions = [...new Set(operations.map(({action}) => action))]
  const counts = actions.map(action => {
    const number = operations.filter(operation => operation.action === action).length
    return `${number} to ${verbOf(action)}`
  })
  const rejected = rejections.length === 0 ? [] : [`${rejections.length} rejected`]
  return [...counts, ...rejected, `${unchanged} unchanged`].join(', ')
}
