import {layOut} from '../../../src/plan/layout/lay-out.js'
import {ARGOCD_DEFAULTS, FLUX_DEFAULTS} from '../../../src/declaration/layout-settings.js'
import type {TreeOptions} from '../../../src/plan/layout/layout.js'
import type {InstallId, InstallSet, SetInstall, SetObject} from '../../../src/render/install-set.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {objectOf} from '../folder/two-installs.js'

export const FLUX = {name: 'flux', settings: FLUX_DEFAULTS} as const
export const ARGOCD = {
  name: 'argocd',
  settings: {...ARGOCD_DEFAULTS, repoURL: 'https://git.example.org/team/cluster'},
} as const

/** The install `NAMESPACE/NAME`, which other installs require. */
export function installOf(key: string, ...requiredBy: readonly string[]): SetInstall {
  const [namespace = '', name = ''] = key.split('/')
  return {
    ...{namespace, name, era: 'packages', scope: 'Cluster', mode: 'requested'},
    for: Object.fromEntries(requiredBy.map(each => [each, ['x.example.org']])),
  }
}

/** A set of these installs, each with a record, after other objects. */
export function setOfInstalls(
  installs: readonly SetInstall[],
  shared: readonly SetObject[] = [],
): InstallSet {
  return {installs, objects: [...shared, ...installs.map(recordOf)], warnings: []}
}

function recordOf({namespace, name}: InstallId): SetObject {
  const install = {namespace, name}
  return {phase: 'records', install, object: objectOf('example.org/v1', 'Record', name, namespace)}
}

export const crd: SetObject = {
  phase: 'crds',
  shared: 'crd',
  object: {
    ...objectOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'records.example.org'),
    spec: {group: 'example.org', names: {kind: 'Record', plural: 'records'}},
  },
}

/** A CRD of the base. */
export const baseCrd: SetObject = {
  phase: 'crds',
  shared: 'base',
  object: objectOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'packages.example.org'),
}

/** A CRD of installs. */
export function ownedBy(owned: SetObject, ...keys: readonly string[]): SetObject {
  return {...owned, ownedBy: keys.map(key => installOf(key)).map(({namespace, name}) => ({namespace, name}))}
}

/** The values in the files of a tree, by path; without those that start a controller, and the guard of
 * the tree; of a file with several, the last one. */
export function treeOf(
  set: InstallSet,
  options: Partial<TreeOptions> & Pick<TreeOptions, 'layout'>,
): Readonly<Record<string, JsonObject>> {
  const files = layOut(
    set,
    {path: 'packages', externalCrds: false, ...options},
    value => `${JSON.stringify(value)}\n`,
  )
  return Object.fromEntries(
    files
      .filter(({path, content}) => path.endsWith('.yaml') && !content.startsWith('#'))
      .map(({path, content}) => [path, JSON.parse(content.split('---\n').at(-1) ?? '') as JsonObject]),
  )
}
