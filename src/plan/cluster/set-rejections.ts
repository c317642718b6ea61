import type {Diagnostic} from '../../diagnostic.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {groupOf, objectKey} from '../../kubernetes/object-key.js'
import {ERAS} from '../../render/era.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import type {ClusterSnapshot} from './state/cluster-snapshot.js'
import type {DesiredObject} from './state/desired-object.js'

/**
 * Returns the rejections of a whole set: for a base beside a current Crossplane, kinds that are not served, and namespaces that
 * do not exist.
 */
export function setRejections(
  desired: readonly DesiredObject[],
  snapshot: ClusterSnapshot,
  {baseBesideCore = false}: {readonly baseBesideCore?: boolean} = {},
): readonly Diagnostic[] {
  return [
    ...(baseBesideCore ? [] : baseRejections(desired, snapshot)),
    ...unservedKinds(desired, snapshot),
    ...missingNamespaces(desired, snapshot),
  ]
}

/** The base has roles with names of the chart of a current Crossplane, such as `crossplane-admin`. */
function baseRejections(desired: readonly DesiredObject[], {core}: ClusterSnapshot): Diagnostic[] {
  if (core === undefined || desired.every(({shared}) => shared !== 'base')) return []
  return [baseRejection(core, 'Leave out --with-package-api, and install packages for a current Crossplane.')]
}

/** Rejects the base for a cluster with a current Crossplane. */
export function baseRejection(core: string, alternative: string): Diagnostic {
  return {
    severity: 'error',
    rule: 'base-beside-core',
    message: `the base is for Crossplane v0.12, and the cluster runs ${core}`,
    suggestions: [alternative, 'Pass --v0.12-base to add the package API of Crossplane v0.12 all the same.'],
  }
}

function unservedKinds(desired: readonly DesiredObject[], {served, core}: ClusterSnapshot): Diagnostic[] {
  const provided = new Set(desired.flatMap(kindsOfCrd))
  const kinds = new Set(desired.map(({name}) => `${name.apiVersion} ${name.kind}`))
  return [...kinds]
    .filter(kind => !served.has(kind) && !provided.has(kind))
    .map(kind => {
      const [apiVersion = '', name = ''] = kind.split(' ')
      const isRecord = Object.values(ERAS).some(({group}) => group === groupOf(apiVersion))
      return {
        severity: 'error',
        rule: 'kind-not-served',
        message: `the cluster does not serve ${name} of ${apiVersion}`,
        suggestions: isRecord ? packageApi(core) : ['Install the CRD of this kind first.'],
      }
    })
}

function packageApi(core: string | undefined): readonly string[] {
  if (core === undefined) return ['Pass --with-package-api to create the package API.']
  return [
    `Install a package for ${core}: this one is for Crossplane v0.12.`,
    'Pass --v0.12-base to add the package API of Crossplane v0.12 all the same.',
  ]
}

function kindsOfCrd({name, content}: DesiredObject): string[] {
  if (!isCrd(name)) return []
  const spec = asObject(content.spec)
  const kind = asText(asObject(spec.names).kind)
  return asObjects(spec.versions).map(version => `${asText(spec.group)}/${asText(version.name)} ${kind}`)
}

function missingNamespaces(desired: readonly DesiredObject[], {live}: ClusterSnapshot): Diagnostic[] {
  const keyOf = (name: string) => objectKey({apiVersion: 'v1', kind: 'Namespace', name})
  const created = new Set(desired.map(({key}) => key))
  const namespaces = new Set(desired.flatMap(({name}) => name.namespace ?? []))
  return [...namespaces].flatMap((name): Diagnostic[] => {
    const liveObject = live.get(keyOf(name))
    if (liveObject === undefined && !created.has(keyOf(name))) {
      return [
        {
          severity: 'error',
          rule: 'namespace-missing',
          message: `namespace ${name} not found`,
          suggestions: ['Pass --create-namespace.'],
        },
      ]
    }
    if (liveObject?.metadata.deletionTimestamp === undefined) return []
    const message = `namespace ${name} is being deleted`
    return [
      {
        severity: 'error',
        rule: 'namespace-terminating',
        message,
        suggestions: [`kubectl get namespace ${name}`],
      },
    ]
  })
}
