import {asText, groupOf, type KubernetesObject, type ResourceKind, sha256Of} from 'kubectl-crossplane/plugin'

/** The annotation with the name of a resource in the external system. */
export const EXTERNAL_NAME = 'crossplane.io/external-name'
/** The annotation of a class whose claims can set that name, if its value is `true`. */
export const ALLOW_EXTERNAL_NAME = 'kubectl-crossplane.dev/allow-external-name'
/** Returns the name of a managed resource in the external system, before and after it is recorded. */
export function externalName({metadata}: KubernetesObject): string {
  return metadata.annotations?.[EXTERNAL_NAME] ?? metadata.name
}

/** The annotation of the class of claims that select none, if its value is `true`. */
export const DEFAULT_CLASS = 'resourceclass.crossplane.io/is-default-class'
/** Keeps a managed resource until its external resource is deleted. */
export const MANAGED_FINALIZER = 'finalizer.managedresource.crossplane.io'
/** Keeps a claim until its managed resource is released. */
export const CLAIM_FINALIZER = 'finalizer.resourceclaim.crossplane.io'
/** The manager of the fields that this program writes. */
export const FIELD_MANAGER = 'kubectl-crossplane-services'

const MAX_NAME = 253

/** Returns the name of the managed resource of a claim: always the same, so that a second one is never created. */
export function managedName({metadata}: KubernetesObject): string {
  const {namespace = '', name} = metadata
  const hash = BigInt(`0x${sha256Of(asText(metadata.uid)).slice(0, 12)}`)
    .toString(36)
    .padStart(HASH_LENGTH, '0')
    .slice(0, HASH_LENGTH)
  return `${`${namespace}-${name}`.slice(0, MAX_NAME - HASH_LENGTH - 1)}-${hash}`
}

const HASH_LENGTH = 5

/** The names of the controllers of one service, which are the sources of Events. */
export interface ControllerNames {
  readonly managed: string
  readonly binder: string
  readonly scheduler: string
  readonly defaulter: string
  readonly secrets: string
}

/** Returns the names that the guide gives to controllers. */
export function controllerNames(claim: ResourceKind | undefined, kind: ResourceKind): ControllerNames {
  const managed = `${kind.kind}.${groupOf(kind.apiVersion)}`.toLowerCase()
  const binder = `${claim?.kind ?? ''}.${managed}`.toLowerCase()
  return {
    managed,
    binder,
    scheduler: `scheduler.${binder}`,
    defaulter: `defaulter.${binder}`,
    secrets: `connectionsecret.${managed}`,
  }
}
