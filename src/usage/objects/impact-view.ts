import {grouped} from '../../grouped.js'
import {present} from '../../present.js'
import {count} from '../../text.js'
import type {ObjectReference, UsageFinding, UsageImpact} from './compare-usage.js'
import {type Verdict, VERDICTS} from './verdict.js'

/** After a number. One object can have several effects. */
const EFFECTS: Readonly<Record<Exclude<Verdict, 'unread'>, string>> = {
  breaks: 'breaking',
  lost: 'losing fields',
  unserved: 'no longer served',
  meaning: 'treated in another way',
  convert: 'converted by a webhook',
}

/** Returns the effects on objects in one line. */
export function impactSummary({totals, read}: Pick<UsageImpact, 'totals' | 'read'>): string {
  const effects = effectTotals(totals)
  const objects = count(read.judged, 'object')
  const unread = totals.unread === 0 ? '' : `; ${totals.unread} not judged`
  return `${objects}: ${effects.length === 0 ? 'no effects' : effects.join(', ')}${unread}`
}

/** Returns the number of objects with each effect, the worst first, such as `2 breaking`. */
export function effectTotals(totals: UsageImpact['totals']): readonly string[] {
  return VERDICTS.flatMap(verdict => {
    const total = totals[verdict]
    return verdict === 'unread' || total === 0 ? [] : [`${total} ${EFFECTS[verdict]}`]
  })
}

/** A field of an object with all verdicts about it. */
export interface ShownRow {
  readonly verdicts: readonly Verdict[]
  readonly path: string
  readonly line: number | undefined
  readonly message: string
}

/** An object with the effects on its fields. */
export interface ShownObject {
  readonly title: string
  readonly place: string
  /** Whether the place is a package. */
  readonly isPackage: boolean
  readonly rows: readonly ShownRow[]
}

/** Groups verdicts by object and field, in their order. */
export function shownObjects(findings: readonly UsageFinding[]): readonly ShownObject[] {
  const objects = grouped(findings, ({object, file}) => JSON.stringify([object, file]))
  return [...objects.values()].flatMap(own => {
    const [first] = own
    if (first === undefined) return []
    const rows = [...grouped(own, ({path, line}) => `${line ?? 0} ${path}`).values()].flatMap(rowsOf)
    const {object, file: place, configuration} = first
    const title = object === undefined ? '' : objectName(object)
    return [{title, place, isPackage: configuration !== undefined, rows}]
  })
}

function rowsOf(findings: readonly UsageFinding[]): readonly ShownRow[] {
  const [first] = findings
  if (first === undefined) return []
  const {path, line} = first
  const verdicts = [...new Set(findings.map(({verdict}) => verdict))]
  return [{verdicts, path, line, message: findings.map(({message}) => message).join('; ')}]
}

/** Names an object by its kind, namespace and name. */
export function objectName({kind, name, namespace}: ObjectReference): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`.trim()
}

/** Returns `FILE:LINE`, or the file alone. */
export function placeText(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`
}

/** An effect on a field of an object, for rows of a plan and diagnostics. */
export interface ImpactLine {
  readonly verdicts: readonly Verdict[]
  /** Such as `clusters/a.yaml:7`. */
  readonly place: string
  /** The same for a diagnostic: the package of an object that has no file. */
  readonly source: Pick<UsageFinding, 'file' | 'line'> | {readonly subject: {readonly package: string}}
  /** Such as `Queue orders spec.size`. */
  readonly field: string
  /** The field, with the package that has the object. */
  readonly about: string
  readonly message: string
}

/** Returns what is shown of verdicts: one line for each field, the worst first. */
export function impactLines(findings: readonly UsageFinding[]): readonly ImpactLine[] {
  const lines = shownObjects(findings).flatMap(({title, place: file, isPackage, rows}) =>
    rows.map(({verdicts, path, line, message}): ImpactLine => {
      const field = [title, path].filter(text => text !== '').join(' ')
      const source = isPackage ? {subject: {package: file}} : {file, ...present({line})}
      const about = isPackage ? `${field} of ${file}` : field
      return {verdicts, place: placeText(file, line), source, field, about, message}
    }),
  )
  const rank = ({verdicts}: ImpactLine) => Math.min(...verdicts.map(one => VERDICTS.indexOf(one)))
  return lines.toSorted((a, b) => rank(a) - rank(b))
}
