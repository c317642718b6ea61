import type {InspectReport} from '../../inspect/inspect-report.js'
import type {PackageFacts} from '../../inspect/package-facts.js'
import type {ProvidedCrd, ProvidedVersion} from '../../inspect/provided-crds.js'
import {jsonInWords} from '../shell/text/json-in-words.js'
import type {Paint} from '../shell/text/paint.js'
import {count} from '../../text.js'
import type {Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** The package's metadata and its source. */
export function packageSection({package: facts, install}: InspectReport, paint: Paint): Section {
  const {namespace, name, assumed} = install
  const placeholder = assumed.includes('namespace') ? ' (placeholder; set it with --namespace)' : ''
  const rows: Row[] = [
    ...textRow('Title', facts.title),
    ...textRow('Overview', facts.overviewShort ?? facts.overview),
    ['Reference', facts.reference ?? 'none (set it with --as-package)'],
    ['Version', facts.version ?? 'unknown: neither a tag nor app.yaml has one'],
    ['Digest', facts.digest ?? 'unknown: the source has none'],
    ['Read from', facts.readFrom],
    ['Format', `${facts.format}, installed through ${install.apiVersion}`],
    ...textRow('Type', facts.packageType),
    ['Scope', `${facts.permissionScope}: ${facts.permissionScopeWords}`],
    ['Installs as', `${namespace}/${name}${placeholder}`],
    ...aboutRows(facts),
  ]
  return {title: 'PACKAGE', lines: formatTable(rows, paint)}
}

function aboutRows({category, keywords, company, license, website, source, ...facts}: PackageFacts): Row[] {
  const people = [...facts.maintainers, ...facts.owners].map(({name = '', email}) =>
    email === undefined ? name : `${name} <${email}>`.trim(),
  )
  return [
    ...textRow('Category', category),
    ...textRow('Keywords', keywords.join(', ')),
    ...textRow('Company', company),
    ...textRow('License', license),
    ...textRow('Website', website),
    ...textRow('Source', source),
    ...textRow('Contacts', [...new Set(people)].join(', ')),
  ]
}

function textRow(label: string, text = ''): Row[] {
  return text === '' ? [] : [[label, text]]
}

/** Its CRDs, those with the largest annotations first. */
export function providesSection({provides}: InspectReport, paint: Paint): Section {
  if (provides.length === 0) return {title: 'PROVIDES no kinds', lines: []}
  const header = [
    'KIND',
    'GROUP',
    'VERSIONS',
    'SCOPE',
    'SUBRESOURCES',
    'UNKNOWN FIELDS',
    'ANNOTATIONS (OF 256 KIB)',
  ]
  const rows = [...provides].sort((a, b) => b.annotationBytes - a.annotationBytes).map(crdRow)
  return {title: `PROVIDES ${count(provides.length, 'kind')}`, lines: formatTable([header, ...rows], paint)}
}

function crdRow({kind, group, versions, scope, subresources, ...crd}: ProvidedCrd): Row {
  const unknownFields = new Set(versions.map(version => version.unknownFields.replace('-', ' ')))
  return [
    kind,
    group,
    versions.map(versionInWords).join(', '),
    scope,
    subresources.join(', ') || '-',
    [...unknownFields].join(', '),
    `${crd.annotationBytes} B (${crd.annotationPercent} %)`,
  ]
}

function versionInWords({name, served, storage, schema}: ProvidedVersion): string {
  const notes = [
    ...(storage ? ['stored'] : []),
    ...(served ? [] : ['not served']),
    ...(schema ? [] : ['no schema']),
  ]
  return notes.length === 0 ? name : `${name} (${notes.join(', ')})`
}

/** Its dependencies, in the order of the package. */
export function requiresSection({requires}: InspectReport, paint: Paint): Section {
  if (requires.length === 0) return {title: 'REQUIRES nothing', lines: []}
  const rows = requires.map(({crd, package: repository, words, options}): Row => {
    const pull = options === undefined ? '' : `; ignored pull options: ${jsonInWords(options)}`
    return [crd ?? repository ?? '', `${words}${pull}`]
  })
  return {title: 'REQUIRES', lines: formatTable(rows, paint)}
}
