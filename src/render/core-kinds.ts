import {parseCrossplaneRelease} from '../reference/crossplane-release.js'
import type {PermissionScope} from '../unpack/package.js'
import {ERAS, pluralOf} from './era.js'

/** A kind that was included in Crossplane itself. */
export interface CoreKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
}

/** Half of all packages depend on kinds of this group, and no release included one. */
export const EMPTY_CORE_GROUP = 'core.crossplane.io'

/**
 * The kinds of Crossplane v0.11 and v0.12, which included the same ones. Earlier releases had fewer, under these
 * names; the package API's own are those of both eras.
 */
export const CORE_KINDS: readonly CoreKind[] = [
  ...kinds('apiextensions.crossplane.io/v1alpha1', 'Cluster', [
    'Composition',
    'InfrastructureDefinition',
    'InfrastructurePublication',
  ]),
  ...kinds('cache.crossplane.io/v1alpha1', 'Namespaced', ['RedisCluster']),
  ...kinds('compute.crossplane.io/v1alpha1', 'Namespaced', ['KubernetesCluster', 'MachineInstance']),
  ...kinds('core.oam.dev/v1alpha2', 'Namespaced', [
    'ApplicationConfiguration',
    'Component',
    'ContainerizedWorkload',
    'ManualScalerTrait',
  ]),
  ...kinds('core.oam.dev/v1alpha2', 'Cluster', ['ScopeDefinition', 'TraitDefinition', 'WorkloadDefinition']),
  ...kinds('database.crossplane.io/v1alpha1', 'Namespaced', [
    'MySQLInstance',
    'NoSQLInstance',
    'PostgreSQLInstance',
  ]),
  ...kinds('kubernetes.crossplane.io/v1alpha1', 'Cluster', ['Provider']),
  ...kinds('storage.crossplane.io/v1alpha1', 'Namespaced', ['Bucket']),
  ...kinds('workload.crossplane.io/v1alpha1', 'Namespaced', [
    'KubernetesApplication',
    'KubernetesApplicationResource',
    'KubernetesTarget',
  ]),
  ...Object.values(ERAS).flatMap(era => kinds(era.apiVersion, 'Namespaced', Object.values(era.kinds))),
]

/**
 * The first minor release of v0 that included a group, and the first one that no longer did; the others are in all.
 */
const RELEASES: Readonly<Record<string, {readonly since?: number; readonly until?: number}>> = {
  'apiextensions.crossplane.io': {since: 10},
  'core.oam.dev': {since: 9},
  [ERAS.packages.group]: {since: 11},
  [ERAS.stacks.group]: {until: 11},
}

/**
 * Returns the kinds of a release of Crossplane, by group: within a group earlier releases may have had fewer. None
 * from v1.0.0 on, which has another package system; undefined for text that is not a release.
 */
export function coreKindsOf(release: string): readonly CoreKind[] | undefined {
  const version = parseCrossplaneRelease(release)
  if (version === undefined) return undefined
  const {major, minor} = version
  if (major > 0) return []
  return CORE_KINDS.filter(({group}) => {
    const {since = 0, until = Infinity} = RELEASES[group] ?? {}
    return since <= minor && minor < until
  })
}

function kinds(apiVersion: string, scope: PermissionScope, names: readonly string[]): CoreKind[] {
  const [group = '', version = ''] = apiVersion.split('/')
  return names.map(kind => ({group, version, kind, plural: pluralOf(kind), scope}))
}
