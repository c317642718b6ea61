import type {Diagnostic} from '../../diagnostic.js'
import {planVerb} from '../../inspect/plan-groups.js'
import {type Operation, type Plan, risksOf} from '../../plan/plan.js'
import {formatPlan, planDocument} from '../../plan/plan-document.js'
import {lines} from '../shell/text/lines.js'
import {onCluster} from '../shell/document/on-cluster.js'
import type {Paint} from '../shell/text/paint.js'
import {formatDiagnostic} from '../shell/text/format-diagnostic.js'
import {plainLine, plainText} from '../shell/text/plain-text.js'
import {changeRows} from './show-groups.js'
import {formatDocument, type OutputFormat} from '../shell/document/show.js'
import {formatNarrow} from '../shell/text/table.js'
import {unifiedDiff} from '../shell/text/unified-diff.js'

/** The output that a plan for files is formatted for. */
interface FilesOutput {
  /** The current contents of the files, by path. */
  readonly before: ReadonlyMap<string, string>
  readonly paint: Paint
  /** Shows each file with its reason, instead of a line for each group. */
  readonly showsObjects: boolean
  /** Shows files without objects, and the diffs of all. */
  readonly showsFiles: boolean
  /** What the change is for packages, right after the risks. */
  readonly effect?: string | undefined
}

/**
 * A plan for users: risks, its effect on packages, a line for each group of changes, the diffs of files, then how many changes of
 * each there are. `name` is the target as the user named it.
 */
export function formatPlanText(plan: Plan, name: string, output: FilesOutput): string {
  const {paint, showsObjects, showsFiles, effect} = output
  const shown = showsFiles ? plan : withoutFiles(plan)
  const {rows, isShortened, columns} = changeRows(shown, showsObjects)
  return lines([
    ...risksOf(plan).flatMap(risk => riskLines(risk, paint)),
    ...(effect === undefined ? [] : [effect]),
    ...formatNarrow(rows, columns, paint).flat(),
    ...(showsFiles ? plan.operations.flatMap(operation => diffOf(operation, output)) : []),
    ...plan.rejections.map(rejection => `${paint('red', 'rejected')} ${formatDiagnostic(rejection)}`),
    `${plainText(name)}: ${countsOf(plan)}${isShortened ? SHORTENED : ''}${showsFiles || plan.operations.length === 0 ? '' : HIDDEN}`,
  ])
}

/** Follows the counts of a plan that does not name every object. */
export const SHORTENED = '; --show-objects names each'

/** Follows the counts of a plan that leaves out files. */
export const HIDDEN = '; --show-files shows the files'

/** A plan without the changes of files that contain no object, such as lists of hashes. */
export function withoutFiles(plan: Plan): Plan {
  return {...plan, operations: plan.operations.filter(({object}) => object !== undefined)}
}

function diffOf({path = '', content}: Operation, {before}: FilesOutput): readonly string[] {
  return unifiedDiff({path, before: before.get(path), after: content}).map(plainLine)
}

/** A warning, and the commands that help. */
export function riskLines(risk: Diagnostic, paint: Paint, argv: readonly string[] = []): readonly string[] {
  const suggestions = (risk.suggestions ?? []).map(
    text => `${paint('bold', 'Try:')} ${plainText(onCluster(text, argv))}`,
  )
  return [`${paint('yellow', 'Warning:')} ${formatDiagnostic(risk)}`, ...suggestions]
}

/** How many changes of each kind a plan has, such as `2 to create, 5 unchanged`. */
export function countsOf({operations, unchanged, rejections, kept = []}: Plan): string {
  const verbs = operations.filter(({action}) => action !== 'wait').map(planVerb)
  const counts = [...new Set(verbs)].map(verb => `${verbs.filter(other => other === verb).length} to ${verb}`)
  const rejected = rejections.length === 0 ? [] : [`${rejections.length} rejected`]
  const keeping = kept.length === 0 ? [] : [`${kept.length} to keep`]
  return [...counts, ...keeping, ...rejected, `${unchanged} unchanged`].join(', ')
}

/** Formats a plan as a document; as JSON, it is what --plan-out saves. */
export function formatPlanDocument(plan: Plan, format: OutputFormat): string {
  return format === 'json' ? formatPlan(plan) : formatDocument(planDocument(plan), format)
}
