import type {XpkgReport} from '../../inspect/inspect-xpkg.js'
import {count} from '../../text.js'
import {signaturesSection} from './inspection-of-signatures.js'
import {formatDiagnostic} from '../shell/text/format-diagnostic.js'
import type {Paint} from '../shell/text/paint.js'
import {formatSections, type Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** The report as text. Texts of the package are on one line each, with control characters escaped. */
export function formatXpkgInspection(report: XpkgReport, paint: Paint): string {
  const {calls, problems} = report
  const sections = [
    packageSection(report, paint),
    ...signaturesSection(report.signatures, paint),
    definesSection(report, paint),
    requiresSection(report, paint),
    ...(calls.length === 0
      ? []
      : [
          {
            title: `CALLS ${count(calls.length, 'function')}`,
            lines: formatTable(
              calls.map(name => [name]),
              paint,
            ),
          },
        ]),
    objectsSection(report, paint),
    ...(problems.length === 0
      ? []
      : [{title: 'PROBLEMS', lines: problems.map(problem => `  ${formatDiagnostic(problem)}`)}]),
  ]
  return formatSections(sections, paint)
}

function packageSection({package: facts}: XpkgReport, paint: Paint): Section {
  const {annotations, capabilities} = facts
  const rows: Row[] = [
    ['Kind', `${facts.kind} (metadata of ${facts.apiVersion})`],
    ...textRow('Name', facts.name),
    ...textRow('Description', annotations['meta.crossplane.io/description']),
    ['Reference', facts.reference ?? 'none (set it with --as-package)'],
    ['Digest', facts.digest ?? 'unknown: the source has none'],
    ['Read from', facts.readFrom],
    ...textRow('Installs as', facts.installsAs),
    ['Crossplane', facts.crossplane ?? 'any version'],
    ...textRow('Capabilities', capabilities.join(', ')),
    ...textRow('Maintainer', annotations['meta.crossplane.io/maintainer']),
    ...textRow('Source', annotations['meta.crossplane.io/source']),
    ...textRow('License', annotations['meta.crossplane.io/license']),
  ]
  return {title: 'PACKAGE', lines: formatTable(rows, paint)}
}

/** Descriptions have several lines. */
function textRow(label: string, text = ''): Row[] {
  const words = text.trim().replace(/\s+/g, ' ')
  return words === '' ? [] : [[label, words]]
}

function definesSection({defines}: XpkgReport, paint: Paint): Section {
  if (defines.length === 0) return {title: 'DEFINES no kinds', lines: []}
  const header = ['KIND', 'GROUP', 'VERSIONS', 'SCOPE', 'BY']
  const rows = defines.map(({kind, group, versions, scope, by}): Row => [
    kind,
    group,
    versions.join(', '),
    scope || '-',
    by,
  ])
  return {title: `DEFINES ${count(defines.length, 'kind')}`, lines: formatTable([header, ...rows], paint)}
}

function requiresSection({requires}: XpkgReport, paint: Paint): Section {
  if (requires.length === 0) return {title: 'REQUIRES no packages', lines: []}
  const header = ['KIND', 'PACKAGE', 'VERSION', 'INSTALLS AS']
  const rows = requires.map((requirement): Row => [
    requirement.kind,
    requirement.package,
    requirement.version || '-',
    requirement.installsAs,
  ])
  return {
    title: `REQUIRES ${count(requires.length, 'package')}`,
    lines: formatTable([header, ...rows], paint),
  }
}

function objectsSection({objects}: XpkgReport, paint: Paint): Section {
  const total = objects.reduce((sum, entry) => sum + entry.count, 0)
  const rows = objects.map((entry): Row => [String(entry.count), entry.kind, entry.apiVersion])
  return {title: `CONTAINS ${count(total, 'object')}`, lines: formatTable(rows, paint)}
}
