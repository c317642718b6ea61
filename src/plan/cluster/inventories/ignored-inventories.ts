import type {IgnoredInventory} from '../../../cluster/inventory/ignored-inventory.js'
import {INVENTORY_LABEL} from '../../../cluster/inventory/inventory-config-maps.js'
import {rolesOf, witnessesIn} from '../../../cluster/inventory/standing.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError} from '../../../errors.js'
import {commandLine, count, escaped, listSome} from '../../../text.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'

/** The parts of a snapshot that inventories which do not count are reported from. */
export type Ignored = Pick<ClusterSnapshot, 'ignored' | 'floodedBy' | 'roles'>

/** Forged and missing inventories that are reported one by one: each takes two lines. */
const SHOWN = 10

/** Warns of inventories that do not count or are missing, in at most 50 lines however many there are. */
export function ignoredWarnings(read: Ignored): readonly Diagnostic[] {
  const {ignored, floodedBy} = read
  const forged = ignored.filter(({standing}) => standing === 'forged')
  const missing = ignored.filter(({standing}) => standing === 'missing')
  const [older, others] = [
    ignored.filter(inventory => isOlder(inventory, read)),
    ignored.filter(isUnclaimed(read)),
  ]
  return [
    ...firstOf(
      forged.map(inventory => forgedWarning(inventory, read)),
      more => warning(FORGED, `${more} more inventories were changed`),
    ),
    ...firstOf(
      missing.map(inventory => missingWarning(inventory, read)),
      more => warning(MISSING, `${more} more inventories are missing`),
    ),
    ...(older.length === 0 ? [] : [olderWarning(older)]),
    ...(others.length === 0 ? [] : [warning(UNWITNESSED, unclaimedText(others, floodedBy !== undefined))]),
    ...(floodedBy === undefined ? [] : [warning(UNWITNESSED, floodedText(floodedBy))]),
  ]
}

/** The first warnings, and one that counts the others. */
function firstOf(
  warnings: readonly Diagnostic[],
  others: (more: number) => Diagnostic,
): readonly Diagnostic[] {
  const more = warnings.length - SHOWN
  return more > 0 ? [...warnings.slice(0, SHOWN), others(more)] : warnings
}

const FORGED = 'inventory-forged'
const MISSING = 'inventory-missing'
const UNWITNESSED = 'inventory-unwitnessed'

function warning(rule: string, message: string, suggestions: readonly string[] = []): Diagnostic {
  return {severity: 'warning', rule, message, suggestions}
}

function forgedWarning(inventory: IgnoredInventory, read: Pick<Ignored, 'roles'>): Diagnostic {
  return warning(FORGED, forgedText(inventory), [witnessCommand(inventory, read)])
}

/** The error for an install that is only known from an inventory that does not count. */
export function ignoredError(inventory: IgnoredInventory, read: Pick<Ignored, 'roles'>): CrossplaneError {
  const isProven = witnessesIn(rolesOf(read.roles, inventory) ?? []).length > 0
  const suggestion =
    isProven || isOlder(inventory, read) ? witnessCommand(inventory, read) : 'kubectl crossplane doctor'
  return new CrossplaneError('inventory-invalid', ignoredText(inventory, read), {suggestions: [suggestion]})
}

function ignoredText(inventory: IgnoredInventory, read: Pick<Ignored, 'roles'>): string {
  if (inventory.standing === 'forged') return forgedText(inventory)
  if (inventory.standing === 'missing') return missingText(inventory, read)
  return `the inventory of ${idText(inventory)} has no witness and is ignored`
}

/** States that an inventory was changed. */
function forgedText(inventory: IgnoredInventory): string {
  return `the inventory of ${idText(inventory)} differs from its witness and is ignored: it was changed by another program`
}

function missingWarning(inventory: IgnoredInventory, read: Pick<Ignored, 'roles'>): Diagnostic {
  return warning(MISSING, missingText(inventory, read), [witnessCommand(inventory, read)])
}

/** States that an inventory is missing, and what its witness still proves. */
function missingText(inventory: IgnoredInventory, {roles}: Pick<Ignored, 'roles'>): string {
  const installed = witnessesIn(rolesOf(roles, inventory) ?? []).at(0)?.package
  const stays = installed === undefined ? '' : `; ${escaped(installed)} still counts as installed`
  return `the inventory of ${idText(inventory)} is missing: another program deleted it${stays}`
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

function floodedText(namespace: string): string {
  return `namespace ${escaped(namespace)} has too many or too large ConfigMaps with the label ${INVENTORY_LABEL}: from there on, only the inventories of installs with a system role are read`
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
 * Returns the command that writes the inventory and witness of an install: it names the install and its package. The
 * package of a forged or missing inventory is that of its witness; that of an older one is what the inventory says. Without
 * an inventory, the objects are taken over.
 */
export function witnessCommand(ignoredInventory: IgnoredInventory, {roles}: Pick<Ignored, 'roles'>): string {
  const {namespace, name, inventory, standing} = ignoredInventory
  const witness = witnessesIn(rolesOf(roles, ignoredInventory) ?? []).at(0)
  const installed = inventory?.install.package
  const text = witness?.package ?? (installed && `${installed.identity}:${installed.tag}`)
  if (text === undefined || text.startsWith('local/')) {
    return `Run package install with the package of ${idText(ignoredInventory)}, its name and its namespace.`
  }
  const adopt = standing === 'missing' ? ['--adopt'] : []
  return commandLine(['package', 'install', text, name, '--namespace', namespace, ...adopt])
}
