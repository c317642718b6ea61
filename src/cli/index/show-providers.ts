import {lines} from '../shell/text/lines.js'
import type {Diagnostic} from '../../diagnostic.js'
import {indexDiagnostics} from '../../index/indexed-version.js'
import type {ProvidesReport} from '../../pipeline/provides.js'
import type {Paint} from '../shell/text/paint.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** Formats the table of providers; only its header if there are none. */
export function formatProviders({providers}: ProvidesReport, paint: Paint): string {
  const head: Row = [
    'PACKAGE',
    'TAG',
    'CRD',
    'KIND',
    'SERVES',
    'STORED',
    'MATCHES',
    ...withdrawnHead(providers),
  ]
  const rows = providers.map((provider): Row => {
    const matches = provider.serves ? 'yes' : 'other version'
    const {package: name, tag, name: crd, kind, served, stored, withdrawn = ''} = provider
    return [name, tag, crd, kind, served.join(','), stored, matches, withdrawn]
  })
  return lines(formatTable([head, ...rows], paint, ''))
}

/** The header of a last column that is only shown if it is not empty. */
export function withdrawnHead(versions: readonly {readonly withdrawn?: string}[]): string[] {
  return versions.some(({withdrawn}) => withdrawn !== undefined) ? ['WITHDRAWN'] : []
}

/** Notes on the table: a CRD of Crossplane itself, versions that could not be read, and tags with several digests. */
export function providerNotes({crd, providers, unreadable, crossplane}: ProvidesReport): Diagnostic[] {
  const offered = providers.filter(({withdrawn}) => withdrawn === undefined)
  const summaries = offered.map(({package: identity, ...summary}) => ({...summary, identity}))
  const message = `${crd} is provided by Crossplane ${crossplane ?? ''} itself`
  const own: Diagnostic[] =
    crossplane === undefined ? [] : [{severity: 'note', rule: 'provided-by-crossplane', message}]
  return [...own, ...indexDiagnostics({unreadable, summaries})]
}
