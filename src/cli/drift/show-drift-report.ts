import type {DriftReport} from '../../pipeline/drift/find-drift.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {count, listAll, plural} from '../../text.js'
import {driftDocument, driftMetrics, sideAnnotations} from './drift-formats.js'
import {formatAnnotations} from '../shell/ci/github-annotation.js'
import {painter} from '../shell/text/paint.js'
import {formatDocument, isDocument, show, showWarnings} from '../shell/document/show.js'
import {formatSides} from './show-sides.js'

/** Shows how the sides differ. */
export async function showReport(
  report: DriftReport,
  format: string,
  argv: readonly string[],
): Promise<void> {
  const {denials} = report
  showWarnings(
    {warnings: denials.map(({message}) => ({severity: 'warning', rule: 'permission-denied', message}))},
    argv,
  )
  if (isDocument(format)) return await show(formatDocument(driftDocument(report, argv), format))
  const text = textOf(report, format, argv)
  if (text !== '') await show(text)
  if (format !== 'prometheus' && !isQuietRun(argv)) process.stderr.write(`${summaryOf(report)}\n`)
}

function textOf(report: DriftReport, format: string, argv: readonly string[]): string {
  if (format === 'prometheus') return driftMetrics(report)
  if (format === 'github') return formatAnnotations(sideAnnotations(report))
  return formatSides(report, painter(argv, 'stdout'), argv)
}

/** Such as `lock and cluster: 1 object differs, 12 are the same`. */
function summaryOf({sides, objects, unchanged}: DriftReport): string {
  const differing = `${count(objects.length, 'object')} ${plural(objects.length, 'differs', 'differ')}`
  return `${listAll(sides)}: ${differing}, ${unchanged} ${plural(unchanged, 'is', 'are')} the same`
}
