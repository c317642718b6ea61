import type {InspectReport} from '../../inspect/inspect-report.js'
import type {SignedInspection} from '../../pipeline/inspect/inspect.js'
import {present} from '../../present.js'
import {formatDocument, isDocument, type OutputFormat, show} from '../shell/document/show.js'
import {formatDiagnostic} from '../shell/text/format-diagnostic.js'
import {packageSection, providesSection, requiresSection} from './inspection-of-package.js'
import {peopleSection, permissionsSection} from './inspection-of-permissions.js'
import {runsSection} from './inspection-of-runs.js'
import {signaturesSection} from './inspection-of-signatures.js'
import type {Paint} from '../shell/text/paint.js'
import {count} from '../../text.js'
import {formatSections, type Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'
import {formatXpkgInspection} from './show-xpkg-inspection.js'

/** Prints an inspection as the document of its kind, or as text. */
export async function showInspection(
  inspection: SignedInspection,
  format: 'text' | OutputFormat,
  paint: Paint,
): Promise<void> {
  const {kind, report, signatures} = inspection
  if (isDocument(format))
    return await show(formatDocument({kind, ...report, ...present({signatures})}, format))
  await show(textOf(inspection, paint))
}

function textOf(inspection: SignedInspection, paint: Paint): string {
  const signatures = present({signatures: inspection.signatures})
  return inspection.kind === 'XpkgReport'
    ? formatXpkgInspection({...inspection.report, ...signatures}, paint)
    : formatInspection({...inspection.report, ...signatures}, paint)
}

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
