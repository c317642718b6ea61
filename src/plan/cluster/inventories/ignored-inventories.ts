import type {IgnoredInventory} from '../../../cluster/inventory/ignored-inventory.js'
import {rolesOf} from '../../../cluster/inventory/standing.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {count, escaped, listSome, shellWord} from '../../../text.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'

/** The parts of a snapshot that inventories which do not count are reported from. */
export type Ignored = Pick<ClusterSnapshot, 'ignored' | 'isFlooded' | 'roles'>

/** Forged inventories that are reported one by one: each takes two lines. */
const SHOWN = 10

/** Warns of inventories that do not count, in at most 50 lines however many there are. */
export function ignoredWarnings(read: Ignored): readonly Diagnostic[] {
  const {ignored, isFlooded} = read
  const forged = ignored.filter(({standing}) => standing === 'forged')
  const [older, others] = [
    ignored.filter(inventory => isOlder(inventory, read)),
    ignored.filter(isUnclaimed(read)),
  ]
  return [
    ...forged.slice(0, SHOWN).map(inventory => forgedWarning(inventory, read)),
    ...(forged.length > SHOWN
      ? [warning(FORGED, `${forged.length - SHOWN} more inventories were changed`)]
      : []),
    ...(older.length === 0 ? [] : [olderWarning(older)]),
    ...(others.length === 0 ? [] : [warning(UNWITNESSED, unclaimedText(others, isFlooded))]),
  ]
}

const FORGED = 'inventory-forged'
const UNWITNESSED = 'inventory-unwitnessed'

function warning(rule: string, message: string, suggestions: readonly string[] = []): Diagnostic {
  return {severity: 'warning', rule, message, suggestions}
}

function forgedWarning(inventory: IgnoredInventory, read: Pick<Ignored, 'roles'>): Diagnostic {
  return warning(FORGED, forgedText(inventory), [witnessCommand(inventory, read)])
}

/** States that an inventory was changed. */
function forgedText(inventory: IgnoredInventory): string {
  return `the inventory of ${idText(inventory)} differs from its witness and is ignored: it was changed by another program`
}

function olderWarning(older: readonly IgnoredInventory[]): Diagnostic {
  const message = `${count(older.length, 'inventory', 'inventories')} without a witness, of an older version of this program, ${older.length === 1 ? 'is' : 'are'} ignored: ${listSome(older.map(idText))}`
  return warning(UNWITNESSED, message, ['kubectl crossplane doctor'])
}

function unclaimedText(others: readonly IgnoredInventory[], isFlooded: boolean): string {
  const more = isFlooded ? 'more than ' : ''
  const verb = others.length === 1 ? 'is' : 'are'
  return `${more}${count(others.length, 'inventory', 'inventories')} without a witness ${verb} ignored: ${listSome(others.map(idText))}`
}

function idText({namespace, name}: IgnoredInventory): string {
  return `${escaped(namespace)}/${escaped(name)}`
}

/** Reports whether an inventory is that of an install that a version without witnesses made. */
export function isOlder(inventory: IgnoredInventory, {roles}: Pick<Ignored, 'roles'>): boolean {
  return inventory.standing === 'unwitnessed' && isApplied(inventory, roles)
}

function isUnclaimed({roles}: Pick<Ignored, 'roles'>): (inventory: IgnoredInventory) => boolean {
  return inventory => inventory.standing === 'unwitnessed' && !isApplied(inventory, roles)
}

function isApplied(inventory: IgnoredInventory, roles: Ignored['roles']): boolean {
  return (rolesOf(roles, inventory) ?? []).some(role => role.isApplied)
}

/**
 * Returns the command that writes the witness of an install: it names the install and its package. The package of a
 * forged inventory is that of its witness; that of an older one is what the inventory says.
 */
export function witnessCommand(ignoredInventory: IgnoredInventory, {roles}: Pick<Ignored, 'roles'>): string {
  const {namespace, name, inventory} = ignoredInventory
  const witness = (rolesOf(roles, ignoredInventory) ?? []).flatMap(role => role.witness ?? []).at(0)
  const installed = inventory?.install.package
  const text = witness?.package ?? (installed && `${installed.identity}:${installed.tag}`)
  if (text === undefined || text.startsWith('local/')) {
    return `Run package install with the package of ${idText(ignoredInventory)}, its name and its namespace.`
  }
  return `kubectl crossplane package install ${shellWord(text)} ${shellWord(name)} --namespace ${shellWord(namespace)}`
}
