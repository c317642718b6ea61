import {inventoryName} from '../cluster/inventory/inventory-config-maps.js'
import type {InventoriedRequest} from '../cluster/inventory/inventory.js'
import {nameOf} from '../kubernetes/object-key.js'
import {parseImageName} from '../reference/image-name.js'
import {CRD_PREFIX, isArchiveText} from '../reference/package-reference.js'
import {isCrdName} from '../reference/install-target.js'
import {requestEraOf} from '../render/era.js'
import type {InstallId} from '../reference/install-id.js'
import {observedParameters} from '../render/observed-parameters.js'
import {shellWord} from '../text.js'
import {asObject, asText} from '../yaml/json-value.js'
import type {HealthSnapshot} from './health-snapshot.js'
import {describe} from './remedies.js'

/** The known facts about the installation of a package. */
type InstallSource = Pick<HealthSnapshot, 'install' | 'era' | 'inventory' | 'request'>

/**
 * Returns the command that installs a package again, or for the first time by this program; the command that prints the
 * request or the inventory if these have text that could be mistaken for something else.
 */
export function reinstall(snapshot: InstallSource): string {
  const {install, inventory, request} = snapshot
  const reference = referenceOf(snapshot)
  if (reference === undefined) return 'Run the command again that installed it.'
  const parameters =
    inventory === undefined ? observedParameters(request?.spec) : (inventory.install.request ?? {})
  const values = [install.name, install.namespace, ...valuesOf(parameters)]
  if (isReference(reference) && values.every(isPlain) && hasRuntimeFlags(parameters)) {
    const flags = [...folderFlags(snapshot), ...parameterFlags(parameters), ...placementFlags(snapshot)]
    return [installCommand(install, reference), ...flags.map(shellWord)].join(' ')
  }
  if (inventory === undefined && request !== undefined) return describe(nameOf(request))
  return describe({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: install.namespace,
    name: inventoryName(install),
  })
}

function installCommand({namespace, name}: InstallId, reference: string): string {
  return `kubectl crossplane package install ${shellWord(reference)} ${shellWord(name)} --namespace ${shellWord(namespace)}`
}

/** Undefined for a package that only a folder has. */
function referenceOf({inventory, request}: InstallSource): string | undefined {
  if (inventory === undefined) {
    const {package: reference, crd} = asObject(request?.spec)
    if (asText(reference) !== '') return asText(reference)
    return asText(crd) === '' ? undefined : `${CRD_PREFIX}${asText(crd)}`
  }
  const installed = inventory.install.package
  if (installed === undefined || installed.identity.startsWith(LOCAL)) return undefined
  const {identity, tag, digest} = installed
  return `${identity}:${tag}${digest === undefined ? '' : `@${digest}`}`
}

/** The beginning of the identities of packages in folders that were installed without `--as-package`. */
const LOCAL = 'local/'

/** Text that is neither a flag nor a local file, which a tenant could make another user install. */
function isReference(text: string): boolean {
  if (text.startsWith(CRD_PREFIX)) return isCrdName(text.slice(CRD_PREFIX.length))
  return !isArchiveText(text) && parseImageName(text) !== undefined
}

/** Text that cannot be taken for a flag. */
function isPlain(text: string): boolean {
  return /^[a-z0-9]/i.test(text)
}

/** The parameters of a request that an install is rendered with. */
type Given = Partial<InventoriedRequest>

function valuesOf({source, imagePullSecrets = [], serviceAccountAnnotations = {}}: Given): readonly string[] {
  return [
    ...(source === undefined ? [] : [source]),
    ...imagePullSecrets,
    ...Object.keys(serviceAccountAnnotations),
  ]
}

function parameterFlags(parameters: Given): readonly string[] {
  const {source, imagePullPolicy, imagePullSecrets = [], serviceAccountAnnotations = {}} = parameters
  return [
    ...(source === undefined ? [] : ['--source', source]),
    ...(imagePullPolicy === undefined ? [] : ['--image-pull-policy', imagePullPolicy]),
    ...imagePullSecrets.flatMap(name => ['--image-pull-secret', name]),
    ...Object.entries(serviceAccountAnnotations).flatMap(([key, text]) => [
      '--service-account-annotation',
      `${key}=${text}`,
    ]),
    ...runtimeFlags(parameters),
  ]
}

/** Reports whether flags can give the whole runtime, without a file. */
function hasRuntimeFlags({runtime = {}}: Given): boolean {
  const {replicas: _replicas, resources: _resources, env = [], ...others} = runtime
  return Object.keys(others).length === 0 && env.every(({valueFrom}) => valueFrom === undefined)
}

function runtimeFlags({runtime = {}}: Given): readonly string[] {
  const {replicas, resources = {}, env = []} = runtime
  const {limits, requests} = resources
  return [
    ...(replicas === undefined ? [] : ['--replicas', String(replicas)]),
    ...env.flatMap(({name, value}) => ['--env', `${asText(name)}=${asText(value)}`]),
    ...(limits === undefined ? [] : ['--limits', pairs(limits)]),
    ...(requests === undefined ? [] : ['--requests', pairs(requests)]),
  ]
}

function pairs(quantities: Readonly<Record<string, string>>): string {
  return Object.entries(quantities)
    .map(([name, quantity]) => `${name}=${quantity}`)
    .join(',')
}

/** A package without a digest was read from a folder of packages, whose path is not recorded. */
function folderFlags({inventory}: InstallSource): readonly string[] {
  const installed = inventory?.install.package
  return installed === undefined || installed.digest !== undefined ? [] : ['--packages', 'DIR']
}

function placementFlags({era, inventory}: InstallSource): readonly string[] {
  const hasRequest = inventory?.objects.some(object => requestEraOf(object) !== undefined) === true
  return [
    ...(era === 'packages' ? [] : ['--api', era]),
    ...(hasRequest ? ['--include-request'] : []),
    ...(inventory === undefined ? ['--adopt'] : []),
  ]
}
