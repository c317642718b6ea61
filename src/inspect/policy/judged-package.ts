import type {WidePermission} from '../../declaration/policy/policy.js'
import type {RecordedStatement} from '../../signatures/recorded-statement.js'
import {PLAN_FIELDS} from './judged-plan.js'
import type {RuleVariables} from './rule-engine.js'

/** A package as rules see it: their variables. The names are an interface, described in docs/policy-rules.md. */
export interface JudgedPackage {
  readonly pkg: JudgedFacts
  readonly images: readonly JudgedImage[]
  readonly permissions: readonly JudgedPermission[]
  readonly crds: readonly JudgedCrd[]
  readonly signatures: readonly JudgedSignature[]
  /** Whether it is judged by itself without a name, so that no owner can be compared; rules do not see this. */
  readonly isUnnamed?: boolean
}

/** Returns what rules see without one image, such as that of a package which was not pushed yet, and has no digest. */
export function withoutImage(judged: JudgedPackage, own: string): JudgedPackage {
  const images = judged.images.filter(({reference}) => reference !== own)
  return {...judged, images, pkg: {...judged.pkg, images: images.map(({reference}) => reference)}}
}

/** What identifies a package and its install; texts that do not apply are empty. */
interface JudgedFacts {
  /** With its registry: `docker.io/crossplane/provider-gcp`. */
  readonly repository: string
  readonly tag: string
  readonly version: string
  readonly digest: string
  /** `stack` for a package with `.registry/`, `xpkg` for one for a current Crossplane. */
  readonly format: 'stack' | 'xpkg'
  readonly kind: string
  readonly scope: 'Cluster' | 'Namespaced'
  readonly namespace: string
  readonly name: string
  /** Whether a user requested it, and not only other packages. */
  readonly requested: boolean
  /** The references of `images`, as they are written. */
  readonly images: readonly string[]
  /** Why its Pods are privileged, by the standard `baseline` of Kubernetes. */
  readonly privileged: readonly string[]
}

/** An image that a package runs. */
export interface JudgedImage {
  /** As it is written. */
  readonly reference: string
  /** With defaults filled in; empty if the reference is not valid. */
  readonly registry: string
  readonly repository: string
  readonly tag: string
  readonly digest: string
  /** `Deployment team/app`. */
  readonly object: string
  readonly container: string
}

/** A rule of RBAC that a package gets. */
export interface JudgedPermission {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
  readonly verbs: readonly string[]
  readonly scope: 'Cluster' | 'Namespaced'
  readonly wide: readonly WidePermission[]
}

/** A CRD that a package owns. */
export interface JudgedCrd {
  readonly name: string
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly scope: string
  readonly versions: readonly string[]
  readonly served: readonly string[]
  readonly stored: string
}

/** A verified statement of a trusted signer about a package. */
export interface JudgedSignature {
  readonly predicateType: string
  /** The hash of its key, or an identity; the others are empty. */
  readonly key: string
  readonly issuer: string
  readonly subject: string
  /** Of provenance. */
  readonly builder: string
  readonly source: string
}

/** Returns statements with all of their fields. */
export function judgedSignatures(statements: readonly RecordedStatement[]): readonly JudgedSignature[] {
  return statements.map(({predicateType, signer, builder = '', source = ''}) => ({
    ...{predicateType, key: '', issuer: '', subject: '', builder, source},
    ...signer,
  }))
}

/** The variables of rules and their fields. */
export const RULE_VARIABLES: RuleVariables = {
  types: {pkg: 'map', images: 'list', permissions: 'list', crds: 'list', signatures: 'list', plan: 'map'},
  fields: {
    pkg: [
      ...['repository', 'tag', 'version', 'digest', 'format', 'kind', 'scope', 'namespace', 'name'],
      ...['requested', 'images', 'privileged'],
    ],
    images: ['reference', 'registry', 'repository', 'tag', 'digest', 'object', 'container'],
    permissions: ['apiGroups', 'resources', 'resourceNames', 'nonResourceURLs', 'verbs', 'scope', 'wide'],
    crds: ['name', 'group', 'kind', 'plural', 'scope', 'versions', 'served', 'stored'],
    signatures: ['predicateType', 'key', 'issuer', 'subject', 'builder', 'source'],
    ...PLAN_FIELDS,
  },
}

/** Stands for all packages in rules that name `plan` alone, and takes what a test of a policy leaves out. */
export const NO_PACKAGE: JudgedPackage = {
  pkg: {
    ...{repository: '', tag: '', version: '', digest: '', kind: '', namespace: '', name: ''},
    ...{format: 'stack', scope: 'Cluster', requested: true, images: [], privileged: []},
  },
  images: [],
  permissions: [],
  crds: [],
  signatures: [],
}

/** Returns a package for messages. */
export function judgedName({pkg: {repository, tag, version, namespace, name}}: JudgedPackage): string {
  if (repository === '') return `${namespace}/${name}`
  const of = tag === '' ? version : tag
  const shown = repository.replace(/^docker\.io\//, '')
  return of === '' ? shown : `${shown}${of.startsWith('sha256:') ? '@' : ':'}${of}`
}
