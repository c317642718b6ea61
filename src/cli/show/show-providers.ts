import type {Fault} from '../../errors.js'
import type {ProvidesReport} from '../../pipeline/provides.js'
import type {Paint} from './paint.js'
import {formatTable, type Row} from './table.js'

/** The table for people; nothing but its head if nobody owns it. */
export function formatProviders({providers}: ProvidesReport, paint: Paint): string {
  const head: Row = ['PACKAGE', 'TAG', 'CRD', 'KIND', 'SERVES', 'STORED', 'MATCHES']
  const rows = providers.map((each): Row => {
    const matches = each.serves ? 'yes' : 'other version'
    return [each.package, each.tag, each.name, each.kind, each.served.join(','), each.stored, matches]
  })
  const lines = formatTable([head, ...rows], paint, '')
  return lines.map(line => `${line}\n`).join('')
}

/** What could not be looked into: it may own the CRD, too. */
export function unreadableNotes({unreadable}: ProvidesReport): Fault[] {
  return unreadable
    .map(({identity, tag, reason}) => ({
      rule: 'unreadable-package',
      message: `${identity}:${tag} was not looked into: ${reason}`,
    }))
    .sort((a, b) => (a.message < b.message ? -1 : 1))
}
