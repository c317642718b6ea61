import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {isDigest} from '../../reference/image-name.js'
import type {ClosurePackage} from '../../render/xpkg/closure.js'
import type {RecordedStatement} from '../../signatures/recorded-statement.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import {judgedPermission} from './judged-install.js'
import {
  type JudgedCrd,
  type JudgedImage,
  type JudgedPackage,
  type JudgedPermission,
  judgedSignatures,
} from './judged-package.js'
import {judgedImage, privilegedReasons, workloadImages, workloads} from './workloads.js'

/** A package for a current Crossplane, and what Crossplane creates for it. */
export interface ExpandedXpkg {
  readonly selected: ClosurePackage
  /** The name of its request. */
  readonly name: string
  readonly isRequested: boolean
  readonly objects: readonly KubernetesObject[]
}

/** Returns what rules see of a package for a current Crossplane. */
export function judgedXpkg(
  {selected, name, isRequested, objects}: ExpandedXpkg,
  signatures: readonly RecordedStatement[] = [],
): JudgedPackage {
  const {repository, version, digest = '', kind} = selected
  const tag = isDigest(version) ? '' : version
  const running = workloads(objects)
  const images = [
    ...workloadImages(running),
    ...formerImages(selected, running[0]?.object ?? `${kind} ${name}`),
  ]
  return {
    pkg: {
      ...{repository, tag, version: tag, digest: isDigest(version) ? version : digest},
      ...{format: 'xpkg', kind, scope: 'Cluster', namespace: '', name, requested: isRequested},
      images: images.map(({reference}) => reference),
      privileged: privilegedReasons(running).map(({object, reason}) => `${object}: ${reason}`),
    },
    images,
    permissions: boundPermissions(objects),
    crds: (selected.objects ?? []).flatMap(({crds = [], defines}) =>
      crds.map(crd => judgedKind(crd, defines?.versions ?? [])),
    ),
    signatures: judgedSignatures(signatures),
  }
}

/** What a Crossplane before 2.0 runs, which the version of Crossplane decides, and not the package. */
function formerImages({formerImage}: ClosurePackage, object: string): readonly JudgedImage[] {
  return formerImage === undefined ? [] : [judgedImage(formerImage, object, 'package-runtime')]
}

type ServedKind = NonNullable<NonNullable<ClosurePackage['objects']>[number]['crds']>[number]

function judgedKind(
  {group, kind, plural, scope, served, stored}: ServedKind,
  defined: readonly string[],
): JudgedCrd {
  const versions = [...new Set([...served, stored, ...defined])]
  return {name: `${plural}.${group}`, group, kind, plural, scope, versions, served, stored}
}

/** The rules of the roles that are bound: others are for users. */
function boundPermissions(objects: readonly KubernetesObject[]): readonly JudgedPermission[] {
  const bound = new Set(
    objects
      .filter(({kind}) => kind === 'ClusterRoleBinding')
      .map(({roleRef}) => asText(asObject(roleRef).name)),
  )
  return objects
    .filter(({kind, metadata}) => kind === 'ClusterRole' && bound.has(metadata.name))
    .flatMap(({rules}) => asObjects(rules).map(rule => judgedPermission(rule, 'Cluster')))
}
