import type {InspectReport} from '../../inspect/inspect-report.js'
import type {PermissionRule} from '../../inspect/permissions.js'
import {predicateOf} from '../../inspect/rule-words.js'
import type {Paint} from '../shell/text/paint.js'
import type {Section} from '../shell/text/section.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** The permissions of the controller. Wide rules are marked, with the reasons below. */
export function permissionsSection({permissions}: InspectReport, paint: Paint): Section {
  const {holdIn, needAllowCorePermissions, rules} = permissions
  const where = holdIn === 'cluster' ? 'in the whole cluster' : 'in its namespace'
  const refused = needAllowCorePermissions ? ', REJECTED without --allow-core-permissions' : ''
  return {
    title: `PERMISSIONS ${where}${refused}: its service account may`,
    lines: formatTable(rules.flatMap(ruleRows), paint),
  }
}

function ruleRows(rule: PermissionRule): Row[] {
  return [
    [markOf(rule), `${rule.words}${causeInWords(rule)}`],
    ...rule.wide.map(({mark, why}): Row => ['', `  ${mark}: ${why}`]),
  ]
}

function markOf({isRefusedByDefault, wide}: PermissionRule): Row[number] {
  if (isRefusedByDefault) return {text: 'REJECTED', style: 'red'}
  return wide.length === 0 ? '-' : {text: 'WIDE', style: 'yellow'}
}

function causeInWords({because, of = ''}: PermissionRule): string {
  switch (because) {
    case 'standard':
      return ' (granted to every package)'
    case 'owned':
      return ' (its own kind)'
    case 'required':
      return ` (depends on ${of})`
    case 'itself':
      return ' (its own definition)'
  }
}

/** The permissions of users. */
export function peopleSection({permissions: {personas}}: InspectReport, paint: Paint): Section {
  const rows = personas.map(({persona, words}): Row => [persona, predicateOf(words)])
  return {title: 'USERS', lines: formatTable(rows, paint)}
}
