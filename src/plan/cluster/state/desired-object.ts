import {claimManager, isAppliedBy} from '../../../cluster/claims.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {ERAS} from '../../../render/era.js'
import type {InstallSet, SetInstall, SetObject} from '../../../render/install-set.js'
import {claimLabels, withoutClaims} from '../../../render/labels.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, type JsonObject} from '../../../yaml/json-value.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import {type Sha256, sha256Of} from '../../sha256.js'

/** An object as it is applied. */
export interface DesiredObject extends Pick<SetObject, 'phase' | 'shared' | 'install'> {
  readonly key: string
  readonly name: ObjectName
  /** Without claims, which installs apply themselves. */
  readonly content: KubernetesObject
  /** `content` as JSON, made each time it is read: the texts of a large set take more memory than all else. */
  readonly text: string
  /** The hash of that, made once. */
  readonly sent: Sha256
  readonly claims: readonly Claim[]
}

/** The labels by which an install claims a shared CRD. */
export interface Claim {
  readonly install: SetInstall
  readonly manager: string
  readonly labels: Readonly<Record<string, string>>
  /** The object to apply: name and labels alone. */
  readonly content: JsonObject
}

/** The objects of a set in its order, as a cluster gets them. */
export function desiredObjects({objects, installs}: InstallSet): readonly DesiredObject[] {
  return objects.map(object => {
    const {phase, shared, install} = object
    const content = contentWithoutClaims(object)
    const name = nameOf(content)
    const claims = (object.claims ?? []).flatMap(id => {
      const claiming = installs.find(other => other.namespace === id.namespace && other.name === id.name)
      return claiming === undefined ? [] : [claimOf(content, claiming)]
    })
    let hash: Sha256 | undefined
    return {
      phase,
      shared,
      install,
      key: objectKey(name),
      name,
      content,
      claims,
      get text() {
        return writeJson(content)
      },
      get sent() {
        return (hash ??= sha256Of(writeJson(content)))
      },
    }
  })
}

function contentWithoutClaims({object, shared}: SetObject): KubernetesObject {
  if (shared !== 'crd' && !isCrd(object)) return object
  const {labels, ...metadata} = object.metadata
  const own = withoutClaims(labels ?? {})
  const content = {
    ...object,
    metadata: {...metadata, ...(Object.keys(own).length === 0 ? {} : {labels: own})},
  }
  return object.apiVersion.endsWith('/v1') ? withoutUnknownFields(content) : content
}

/** A CRD that was created as v1beta1 may preserve unknown fields; v1 accepts its update only if that is turned off. */
function withoutUnknownFields(crd: KubernetesObject): KubernetesObject {
  return {...crd, spec: {preserveUnknownFields: false, ...asObject(crd.spec)}}
}

function claimOf({apiVersion, kind, metadata}: KubernetesObject, install: SetInstall): Claim {
  const labels = claimLabels(ERAS[install.era], install)
  return {
    install,
    manager: claimManager(install),
    labels,
    content: {apiVersion, kind, metadata: {name: metadata.name, labels}},
  }
}

/** Reports whether an install has a claim on a live CRD. */
export function isClaimed(live: KubernetesObject, {manager, labels}: Claim): boolean {
  const present = live.metadata.labels ?? {}
  return isAppliedBy(live, manager) && Object.entries(labels).every(([key, value]) => present[key] === value)
}
