import type {ObjectName} from '../kubernetes/object-name.js'
import {groupOf} from '../kubernetes/object-key.js'
import type {InventoriedInstall} from '../cluster/inventory/inventory.js'
import type {InstallId} from '../render/install-id.js'
import {shellWord} from '../text.js'
import {asObject, asText} from '../yaml/json-value.js'
import type {HealthSnapshot} from './health-snapshot.js'

/** The command that installs a package again, or for the first time by this program. */
export function reinstall({install, inventory, request}: HealthSnapshot): string {
  const installed = inventory?.install
  const reference = installed === undefined ? requested(request) : packageOf(installed)
  if (reference === undefined) return 'Run the command again that installed it.'
  const adopt = inventory === undefined ? ['--adopt'] : []
  return [installCommand(install, reference), ...adopt].join(' ')
}

function installCommand({namespace, name}: InstallId, reference: string): string {
  return `kubectl crossplane package install ${shellWord(reference)} ${shellWord(name)} --namespace ${shellWord(namespace)}`
}

/** Undefined for a package that only a folder has. */
function packageOf({package: installed}: InventoriedInstall): string | undefined {
  if (installed === undefined || installed.identity.startsWith(LOCAL)) return undefined
  const {identity, tag, digest} = installed
  return `${identity}:${tag}${digest === undefined ? '' : `@${digest}`}`
}

/** The beginning of the identities of packages in folders that were installed without `--as-package`. */
const LOCAL = 'local/'

function requested(request: HealthSnapshot['request']): string | undefined {
  const {package: reference, crd} = asObject(request?.spec)
  if (asText(reference) !== '') return asText(reference)
  return asText(crd) === '' ? undefined : `crd:${asText(crd)}`
}

/** The command that prints an object with what its server and controllers report. */
export function describe({apiVersion, kind, namespace, name}: ObjectName): string {
  const group = groupOf(apiVersion)
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`
  const where = namespace === undefined ? '' : ` --namespace ${shellWord(namespace)}`
  return `kubectl describe ${shellWord(type)} ${shellWord(name)}${where}`
}
