import type {EraName} from '../reference/era-name.js'

/**
 * The names that differ between the two eras of the package system. All else is the same in both, so the rest of the
 * program works with a row of this table and never contains one of these names.
 */
export interface Era {
  readonly name: EraName
  readonly group: string
  readonly version: string
  readonly apiVersion: string
  readonly kinds: {
    readonly clusterRequest: string
    readonly namespacedRequest: string
    readonly record: string
    readonly definition: string
  }
  /** The field of a request's status in which the original package manager names the record. */
  readonly recordField: string
  readonly annotationPrefix: string
  readonly titleAnnotation: string
  readonly managedBy: string
  /** Prefix of the label by which an install claims a CRD. */
  readonly claimPrefix: string
  readonly personaRolePrefix: string
  readonly defaultRolePrefix: string
  readonly behaviorContainers: {readonly copy: string; readonly manage: string}
  /** The newest original controller of template stacks that reads the API group of this era. */
  readonly controllerImage: string
  /** The Deployment of the original package manager. */
  readonly manager: string
  /**
   * The finalizers that the original package manager sets on records and requests, and removes when it has deleted
   * their objects.
   */
  readonly finalizers: {readonly record: string; readonly request: string}
}

/** The Deployment and the Lease of the package manager of this program, which serves the requests of both eras. */
export const OWN_MANAGER = 'kubectl-crossplane-manager'

export const ERAS: Readonly<Record<EraName, Era>> = {
  packages: {
    name: 'packages',
    group: 'packages.crossplane.io',
    version: 'v1alpha1',
    apiVersion: 'packages.crossplane.io/v1alpha1',
    kinds: {
      clusterRequest: 'ClusterPackageInstall',
      namespacedRequest: 'PackageInstall',
      record: 'Package',
      definition: 'StackDefinition',
    },
    recordField: 'packageRecord',
    annotationPrefix: 'packages.crossplane.io/',
    titleAnnotation: 'package-title',
    managedBy: 'package-manager',
    claimPrefix: 'parent.packages.crossplane.io/',
    personaRolePrefix: 'package:',
    defaultRolePrefix: 'crossplane:package-manager:',
    behaviorContainers: {copy: 'package-behavior-copy-to-manager', manage: 'package-behavior-manager'},
    controllerImage: 'crossplane/templating-controller:v0.4.0',
    manager: 'crossplane-package-manager',
    finalizers: {
      record: 'finalizer.packages.crossplane.io',
      request: 'finalizer.packageinstall.crossplane.io',
    },
  },
  stacks: {
    name: 'stacks',
    group: 'stacks.crossplane.io',
    version: 'v1alpha1',
    apiVersion: 'stacks.crossplane.io/v1alpha1',
    kinds: {
      clusterRequest: 'ClusterStackInstall',
      namespacedRequest: 'StackInstall',
      record: 'Stack',
      definition: 'StackDefinition',
    },
    recordField: 'stackRecord',
    annotationPrefix: 'stacks.crossplane.io/',
    titleAnnotation: 'stack-title',
    managedBy: 'stack-manager',
    claimPrefix: 'parent.stacks.crossplane.io/',
    personaRolePrefix: 'stack:',
    defaultRolePrefix: 'crossplane:stack-manager:',
    behaviorContainers: {copy: 'stack-behavior-copy-to-manager', manage: 'stack-behavior-manager'},
    controllerImage: 'crossplane/templating-controller:v0.3.0',
    manager: 'crossplane-stack-manager',
    finalizers: {
      record: 'finalizer.stacks.crossplane.io',
      request: 'finalizer.stackinstall.crossplane.io',
    },
  },
}

/** The era that an object of that apiVersion belongs to. */
export function eraOf(apiVersion: string): Era | undefined {
  return Object.values(ERAS).find(era => era.apiVersion === apiVersion)
}

/** The era of which an object is an install request. */
export function requestEraOf({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string
  readonly kind: string
}): Era | undefined {
  const era = eraOf(apiVersion)
  const isRequest = kind === era?.kinds.clusterRequest || kind === era?.kinds.namespacedRequest
  return isRequest ? era : undefined
}

/** The era of which an object is a package record. */
export function recordEraOf({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string
  readonly kind: string
}): Era | undefined {
  const era = eraOf(apiVersion)
  return kind === era?.kinds.record ? era : undefined
}

/** The finalizer that the original package manager sets on an object, if it is a record or request. */
export function finalizerOf(object: {
  readonly apiVersion: string
  readonly kind: string
}): string | undefined {
  return recordEraOf(object)?.finalizers.record ?? requestEraOf(object)?.finalizers.request
}

/** The plural by which the API serves one of an era's kinds. */
export function pluralOf(kind: string): string {
  return `${kind.toLowerCase()}s`
}

/** The kinds of the definitions of template stacks, those of the newer era first. */
export const DEFINITION_KINDS = [ERAS.packages, ERAS.stacks].map(({apiVersion, kinds}) => ({
  apiVersion,
  kind: kinds.definition,
}))
