import {placeText} from '../../health/sides/place.js'
import type {FieldManager} from '../../health/sides/field-managers.js'
import type {Difference, ObjectDrift, Side} from '../../health/sides/sided-object.js'
import {objectText} from '../../kubernetes/object-key.js'
import type {PackageDrift} from '../../health/sides/package-drift.js'
import type {DriftReport} from '../../pipeline/drift/find-drift.js'
import {listAll} from '../../text.js'
import {lines} from '../shell/text/lines.js'
import {onCluster} from '../shell/document/on-cluster.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'

/** Reports whether anything differs. */
export function hasDrift({objects, files, ...report}: DriftReport): boolean {
  return packageTexts(report).length + objects.length + files.length > 0
}

/** Formats what differs, and then the commands that bring sides back; empty if nothing does. */
export function formatSides(report: DriftReport, paint: Paint, argv: readonly string[]): string {
  const {objects, files} = report
  return lines([
    ...packageTexts(report).map(text => paint('bold', plainText(text))),
    ...objects.flatMap(object => [
      paint('bold', plainText(objectTitle(object))),
      ...differenceTexts(object, report.sides).map(text => `  ${plainText(text)}`),
    ]),
    ...files.map(file => plainText(fileText(file))),
    ...remedyLines(report, paint, argv),
  ])
}

/** Returns each difference as one text. */
export function reportTexts({objects, files, sides, ...report}: DriftReport): readonly string[] {
  return [
    ...packageTexts(report),
    ...objects.flatMap(object =>
      differenceTexts(object, sides).map(text => `${objectTitle(object)}: ${text}`),
    ),
    ...files.map(fileText),
  ]
}

/** Names the packages that are not the same in the lock and in the cluster. */
export function packageTexts({
  packages,
  corePackages = [],
}: Pick<DriftReport, 'packages' | 'corePackages'>): readonly string[] {
  return [...packages.map(packageText), ...corePackages.map(corePackageText)]
}

function corePackageText({repository, lock, core}: NonNullable<DriftReport['corePackages']>[number]): string {
  const sides = [
    lock === undefined ? 'not in the lock' : `lock ${lock}`,
    core === undefined ? "not in Crossplane's Lock" : `Crossplane's Lock ${core}`,
  ]
  return `${repository}: ${sides.join(', ')}`
}

function packageText({install, lock, cluster}: PackageDrift): string {
  const sides = [
    lock === undefined ? 'not in the lock' : `lock ${lock}`,
    cluster === undefined ? 'not in the cluster' : `cluster ${cluster}`,
  ]
  return `${install.namespace}/${install.name}: ${sides.join(', ')}`
}

/** Names an object and its install. */
export function objectTitle({name, install}: ObjectDrift): string {
  const of = install === undefined ? '' : ` of ${install.namespace}/${install.name}`
  return `${objectText(name)}${of}`
}

/** Names a file and its last commit. */
function fileText({path, change, reason, commit}: DriftReport['files'][number]): string {
  const since = commit === undefined ? '' : `; changed in ${commitText(commit)}`
  return `${change} ${path}: ${reason}${since}`
}

/** The differences of an object, one text each. */
export function differenceTexts(
  {differences, presentOn}: ObjectDrift,
  sides: readonly Side[],
): readonly string[] {
  return differences.map(difference => {
    const {place, managers, tree} = difference
    const by = managers.length === 0 ? '' : `; changed by ${listAll(managers.map(managerText))}`
    const since = tree === undefined ? '' : `; in the tree since ${commitText(tree.commit)}`
    const where = place.length === 0 ? '' : ` in ${placeText(place)}`
    return `${sidesText(difference)}${where}: ${contentText(difference, sides, presentOn)}${by}${since}`
  })
}

function sidesText({differs}: Difference): string {
  return `${listAll(differs)} ${differs.length === 1 ? 'differs' : 'differ'}`
}

function contentText(
  {place, values}: Difference,
  sides: readonly Side[],
  presentOn: readonly Side[],
): string {
  if (place.length > 0) return presentOn.map(side => `${side} ${valueText(values[side])}`).join(', ')
  const absent = sides.filter(side => !presentOn.includes(side))
  return `in the ${listAll(presentOn)}, not in the ${listAll(absent)}`
}

function managerText({manager, time}: FieldManager): string {
  return time === '' ? manager : `${manager} at ${time}`
}

const SHORT_ID = 12

function commitText({id, author, subject}: {readonly id: string; author: string; subject: string}): string {
  return `commit ${id.slice(0, SHORT_ID)} by ${author}: ${subject}`
}

const MAX_VALUE = 80

function valueText(value: Difference['values'][Side]): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

/** Each command once; one that overrides conflicts does what the same without that does. */
function remedyLines(
  {objects, files, tree}: DriftReport,
  paint: Paint,
  argv: readonly string[],
): readonly string[] {
  const remedies = [
    ...objects.flatMap(({remedies: own = []}) => own),
    ...files.flatMap(({remedy}) => (remedy === undefined ? [] : [{side: 'tree', command: remedy}])),
  ]
  const commands = new Set(remedies.map(({command}) => command))
  const shown = remedies.filter(({command}) => !commands.has(`${command} --force-conflicts`))
  const texts = shown.map(({side, command}) => {
    const label = paint('bold', `To bring back the ${side}:`)
    return `${label} ${plainText(onCluster(command, argv))}`
  })
  const isCloned = shown.some(({command}) => command.startsWith('git -C '))
  const {clone} = tree ?? {}
  return [
    ...(isCloned && clone !== undefined
      ? [`${paint('bold', 'To run the commands of git:')} ${plainText(clone)}`]
      : []),
    ...new Set(texts),
  ]
}
