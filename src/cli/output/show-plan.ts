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

/** The plan of one file, as text or as a document. */
export function formatFilePlan(
  plan: Plan,
  {file, bytes}: {readonly file: {readonly name: string}; readonly bytes?: Uint8Array},
  format: 'text' | OutputFormat,
  paint: Paint,
): string {
  if (format !== 'text') return formatDocument(planDocument(plan), format)
  const [path = ''] = plan.operations.map(operation => operation.path)
  const before = new Map(bytes === undefined ? [] : [[path, Buffer.from(bytes).toString()]])
  return formatPlanText(plan, before, file.name, paint)
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
    const number = operations.filter(each => each.action === action).length
    return `${number} to ${verbOf(action)}`
  })
  const rejected = rejections.length === 0 ? [] : [`${rejections.length} rejected`]
  return [...counts, ...rejected, `${unchanged} unchanged`].join(', ')
}
