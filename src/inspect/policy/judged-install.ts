import {isCrd} from '../../kubernetes/crd-kind.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {parseImageName} from '../../reference/image-name.js'
import {repositoryOf} from '../../reference/repository.js'
import type {Part} from '../../render/render-part.js'
import type {RecordedStatement} from '../../signatures/recorded-statement.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {wideMarks} from '../wide-marks.js'
import {
  type JudgedCrd,
  type JudgedPackage,
  type JudgedPermission,
  judgedSignatures,
} from './judged-package.js'
import {privilegedReasons, workloadImages, workloads} from './workloads.js'

/** Returns what rules see of an install of a package with `.registry/`. */
export function judgedInstall(
  {install, objects}: Part,
  signatures: readonly RecordedStatement[] = [],
): JudgedPackage {
  const {namespace, name, scope, mode} = install
  const record = objects.findLast(({phase}) => phase === 'records')?.object
  const rules = asObjects(asObject(asObject(record?.spec).permissions).rules)
  const own = objects.filter(({phase}) => phase !== 'records').map(({object}) => object)
  const running = workloads(own)
  const images = workloadImages(running)
  return {
    pkg: {
      ...versionOf(install),
      ...{format: 'stack', kind: record?.kind ?? '', scope, namespace, name, requested: mode === 'requested'},
      images: images.map(({reference}) => reference),
      privileged: privilegedReasons(running).map(({object, reason}) => `${object}: ${reason}`),
    },
    images,
    permissions: rules.map(rule => judgedPermission(rule, scope)),
    crds: own.filter(isCrd).map(judgedCrd),
    signatures: judgedSignatures(signatures),
  }
}

/** A record in a file names no package. */
function versionOf({package: selected}: Part['install']) {
  if (selected === undefined) return {repository: '', tag: '', version: '', digest: ''}
  const {identity, tag, version, digest = ''} = selected
  return {repository: fullName(identity), tag, version, digest}
}

/** With its registry, so that rules can compare beginnings. A package in a folder has the path in place of a name. */
function fullName(identity: string): string {
  const name = parseImageName(identity)
  if (name === undefined) return identity
  const {registry, path} = repositoryOf(name)
  return `${registry}/${path}`
}

/** Returns a rule of RBAC with all of its fields. */
export function judgedPermission(rule: JsonObject, scope: JudgedPermission['scope']): JudgedPermission {
  return {
    apiGroups: asTexts(rule.apiGroups),
    resources: asTexts(rule.resources),
    resourceNames: asTexts(rule.resourceNames),
    nonResourceURLs: asTexts(rule.nonResourceURLs),
    verbs: asTexts(rule.verbs),
    scope,
    wide: wideMarks(rule, scope).map(({mark}) => mark),
  }
}

/** Returns the facts of a CRD of either API version. */
function judgedCrd({metadata, spec}: KubernetesObject): JudgedCrd {
  const {group, scope, names, version, versions} = asObject(spec)
  const {kind, plural} = asObject(names)
  const listed = asObjects(versions)
  const all = listed.length > 0 ? listed : [{name: version ?? '', served: true, storage: true}]
  return {
    name: metadata.name,
    group: asText(group),
    kind: asText(kind),
    plural: asText(plural),
    scope: asText(scope),
    versions: all.map(({name}) => asText(name)),
    served: all.filter(({served}) => served === true).map(({name}) => asText(name)),
    stored: asText(all.find(({storage}) => storage === true)?.name),
  }
}
