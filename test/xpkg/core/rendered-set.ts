import {loadAll} from 'js-yaml'
import {readdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import type {XpkgPin} from '../../../src/xpkg/pins.js'
import {revisionName} from '../../../src/xpkg/package-name.js'
import {asObject, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {crossplane} from '../../cluster/servers.js'
import {runCli} from '../../run-cli.js'
import type {CoreState} from './core-state.js'

/** Renders a package with everything that it requires: requests, and what they need before. */
export async function render(reference: string, pin: XpkgPin) {
  const flags = ['--pin', pin, '--core-version', `v${crossplane.version}`]
  const {status, stdout, stderr} = await runCli('package', 'render', reference, ...flags)
  if (status !== 0) throw new Error(`${reference} was not rendered: ${stderr}`)
  const objects = loadAll(stdout) as JsonObject[]
  const isRequest = ({apiVersion}: JsonObject) => apiVersion === 'pkg.crossplane.io/v1'
  return {prepared: objects.filter(object => !isRequest(object)), requests: objects.filter(isRequest)}
}

/** Renders a declaration with policies beside it: what is to be applied, and what Crossplane creates for it. */
export async function renderExpanded(declaration: string) {
  const policies = join(dirname(declaration), 'policies.yaml')
  const flags = [
    '--declaration',
    declaration,
    '--core-version',
    `v${crossplane.version}`,
    '--activate',
    policies,
  ]
  const {status, stdout, stderr} = await runCli('package', 'render', ...flags, '--expand')
  if (status !== 0) throw new Error(`${declaration} was not rendered: ${stderr}`)
  const objects = loadAll(stdout) as JsonObject[]
  const isCreated = ({metadata}: JsonObject) => asObject(metadata).ownerReferences !== undefined
  return {applied: objects.filter(object => !isCreated(object)), expanded: objects.filter(isCreated)}
}

/** Returns the objects of a rendered folder, in the order of its files. */
export function renderedObjects(folder: string): readonly JsonObject[] {
  // An array of jest's own, which equals others also where prototypes count.
  return [...readdirSync(folder, {recursive: true, encoding: 'utf8'})]
    .filter(path => path.endsWith('.yaml') && !path.startsWith('.'))
    .sort()
    .flatMap(path => loadAll(readFileSync(join(folder, path), 'utf8')) as JsonObject[])
    .filter(({kind}) => kind !== 'Kustomization')
}

/** What Crossplane is to make of requests, with the digests by `REPOSITORY:TAG`. */
export function stateOf(requests: readonly JsonObject[], digests: ReadonlyMap<string, string>): CoreState {
  const packages = requests.map(({kind, metadata, spec}) => {
    const [name, reference] = [asText(asObject(metadata).name), asText(asObject(spec).package)]
    const [, digest = digests.get(reference) ?? ''] = reference.split('@')
    const isResolved = asObject(spec).skipDependencyResolution !== true
    return {kind: asText(kind), name, reference, isResolved, revision: revisionName(name, digest)}
  })
  return {
    healthy: packages.map(({kind, name, reference}) => `${kind} ${name} ${reference}`).sort(),
    others: [],
    active: packages.map(({kind, revision}) => `${kind} ${revision}`).sort(),
    lock: packages
      .filter(({isResolved}) => isResolved)
      .map(({reference, revision}) => `${reference.replace(/:(?=[^:/]+$)/, ' ')} ${revision}`)
      .sort(),
  }
}
