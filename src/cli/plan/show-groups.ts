import {type PlanGroup, planGroups, planVerb} from '../../inspect/plan-groups.js'
import {objectText} from '../../kubernetes/object-key.js'
import type {Plan} from '../../plan/plan.js'
import type {Row} from '../shell/text/table.js'

/** The rows of a plan's changes, and whether they leave out names of objects. */
export interface ChangeRows {
  readonly rows: readonly Row[]
  readonly isShortened: boolean
  /** The number of cells before a reason, which can be below them: not where each object has a line of its own. */
  readonly columns: number
}

/** Returns a row for each group of changes; with `showsObjects`, for each object and file that changes or stays. */
export function changeRows(plan: Plan, showsObjects: boolean): ChangeRows {
  return showsObjects
    ? {rows: objectRows(plan), isShortened: false, columns: Number.POSITIVE_INFINITY}
    : groupRows(planGroups(plan))
}

/** Returns a row for each step of a plan whose order users have to see, with what it waits for. */
export function stepRows({operations}: Plan): ChangeRows {
  const rows = operations.map((operation, index) => {
    const {object, reason, precondition} = operation
    const isRevision = precondition !== undefined && 'revision' in precondition
    const shown = object === undefined || isRevision ? '' : objectText(object)
    const cells = [`${index + 1}.`, verbCell(planVerb(operation)), isRevision ? 'Lock' : shown]
    return IMPLIED.includes(reason) ? cells : [...cells, reason]
  })
  return {rows, isShortened: false, columns: 3}
}

function objectRows({operations, kept = []}: Plan): readonly Row[] {
  const changes = operations.filter(({action}) => action !== 'wait')
  return [
    ...changes.map(operation => {
      const {object, path = '', reason} = operation
      const shown = object === undefined ? path : objectText(object)
      return [verbCell(planVerb(operation)), path === '' ? shown : fileText(path, object), reason]
    }),
    ...kept.map(({object, reason}) => [verbCell('keep'), objectText(object), reason]),
  ]
}

function fileText(path: string, object: Parameters<typeof objectText>[0] | undefined): string {
  return object === undefined ? path : `${path} (${objectText(object)})`
}

function groupRows(groups: readonly PlanGroup[]): ChangeRows {
  const widths = groups.map(({verb, kind}) => verb.length + kind.length)
  const texts = groups.map(({names}) => shortList(names, MAX_LENGTH - Math.max(0, ...widths)))
  const rows = groups.map(({verb, kind, reason, names}, at): Row => {
    const shown = texts[at] ?? ''
    const cells = [verbCell(verb), String(names.length), kind, shown]
    return IMPLIED.includes(reason) ? cells : [...cells, reason]
  })
  return {rows, isShortened: groups.some(({names}, at) => texts[at] !== names.join(', ')), columns: 4}
}

/** Reasons that the verb says already. */
const IMPLIED = ['the object does not exist', 'the file does not exist', 'the content changes']

/** As many names as fit beside the other columns, at least one. */
function shortList(names: readonly string[], limit: number): string {
  let length = 0
  const fitting = names.findIndex(name => (length += name.length + 2) > Math.min(limit, MAX_NAMES_LENGTH))
  const shown = fitting === -1 ? names.length : Math.max(1, fitting)
  const rest = names.length - shown
  const text = names.slice(0, shown).join(', ')
  return rest === 0 ? text : `${text} and ${rest} more`
}

const MAX_NAMES_LENGTH = 60
/** Of verb, kind and names, beside their number, blanks and what `and 10 more` needs. */
const MAX_LENGTH = 78

function verbCell(text: string): Row[number] {
  return {text, style: 'bold'}
}
