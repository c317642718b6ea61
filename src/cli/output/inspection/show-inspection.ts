import type {InspectReport} from '../../../inspect/inspect-report.js'
import {formatDiagnostic} from '../text/format-diagnostic.js'
import {packageSection, providesSection, requiresSection} from './inspection-of-package.js'
import {peopleSection, permissionsSection} from './inspection-of-permissions.js'
import {runsSection} from './inspection-of-runs.js'
import {signaturesSection} from './inspection-of-signatures.js'
import type {Paint} from '../text/paint.js'
import {count} from '../../../text.js'
import {formatSections, type Section} from '../text/section.js'
import {formatTable, type Row} from '../text/table.js'

/** The report as text. Texts of the package are on one line each, with control characters escaped. */
export function formatInspection(report: InspectReport, paint: Paint): string {
  const sections = [
    packageSection(report, paint),
    ...signaturesSection(report.signatures, paint),
    providesSection(report, paint),
    requiresSection(report, paint),
    runsSection(report, paint),
    permissionsSection(report, paint),
    peopleSection(report, paint),
    objectsSection(report, paint),
    ...(report.warnings.length === 0 ? [] : [warningsSection(report)]),
  ]
  return formatSections(sections, paint)
}

function objectsSection({objects}: InspectReport, paint: Paint): Section {
  const total = objects.reduce((sum, objectCount) => sum + objectCount.count, 0)
  const rows = objects.map((objectCount): Row => [
    String(objectCount.count),
    objectCount.kind,
    objectCount.apiVersion,
  ])
  return {title: `CREATES ${count(total, 'object')}`, lines: formatTable(rows, paint)}
}

function warningsSection({warnings}: InspectReport): Section {
  return {
    title: 'WARNINGS',
    lines: warnings.map(warning => `  ${formatDiagnostic(warning)}`),
  }
}
