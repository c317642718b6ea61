/** The links of an install, in the order in which one relies on those before it. */
export const LINKS = [
  'install',
  'record',
  'crds',
  'account',
  'roles',
  'binding',
  'controller',
  'pods',
] as const
export type Link = (typeof LINKS)[number]

/** A way in which an install is broken: a row of docs/status.md. */
export interface BreakKind {
  readonly link: Link
  /** States when it is reported, for docs. */
  readonly meaning: string
  /** The next step, for docs. */
  readonly remedy: string
  /** Whether an install has it for a moment while it is created or upgraded. */
  readonly isPassing?: true
}

const REINSTALL = 'Install the package again: this creates what is missing.'

/** All kinds of breaks by their stable id. */
export const BREAK_KINDS = {
  'namespace-terminating': {
    link: 'install',
    meaning: 'The namespace of the install is being deleted.',
    remedy: 'Read the conditions of the Namespace. Uninstall, or wait until it is gone and install again.',
  },
  'inventory-unreadable': {
    link: 'install',
    meaning: 'The inventory is invalid.',
    remedy: 'Repair its ConfigMap, or delete it and take over the install with `--adopt`.',
  },
  'inventory-unwitnessed': {
    link: 'install',
    meaning:
      'The inventory has no witness and is ignored: the first install was interrupted before it had a role, or another program wrote the inventory.',
    remedy: 'Run the interrupted command again, or delete the ConfigMap.',
  },
  'inventory-forged': {
    link: 'install',
    meaning: 'The inventory differs from its witness and is ignored: another program changed it.',
    remedy: 'Run `doctor`, and install the package again with the command that it prints.',
  },
  'inventory-missing': {
    link: 'install',
    meaning: 'The witness shows that the install has an inventory, but another program deleted it.',
    remedy: 'Run `doctor`, and install the package again with the command that it prints.',
  },
  'install-interrupted': {
    link: 'install',
    meaning: 'A change was interrupted, and no run of this program continues it.',
    remedy: 'Run the same command again: it completes what is missing.',
  },
  'install-missing': {
    link: 'install',
    meaning: 'The lock file lists an install that is not in the cluster.',
    remedy: 'Install the packages of the declaration.',
  },
  'request-terminating': {
    link: 'install',
    meaning: 'The request is being deleted, and finalizers keep it.',
    remedy: 'Find out whether the controllers that own the finalizers run.',
  },
  'request-unprocessed': {
    link: 'install',
    meaning:
      'A request exists without a package record, and no package manager is running, or it has not processed the request for ten minutes.',
    remedy:
      'Install the package with this program, which needs no package manager, or read the log of the one that runs.',
  },
  'install-job-failed': {
    link: 'install',
    meaning: 'The Job by which the original package manager unpacks the package failed.',
    remedy: 'Read the log of the Job.',
  },
  'record-missing': {
    link: 'record',
    meaning: 'The package record does not exist.',
    remedy: REINSTALL,
    isPassing: true,
  },
  'record-api-missing': {
    link: 'record',
    meaning: 'The cluster does not serve the kind of the package record.',
    remedy:
      'The flag `--with-package-api` of `package install` creates the API of packages; where a current Crossplane runs, `--v0.12-base` does.',
    isPassing: true,
  },
  'record-terminating': {
    link: 'record',
    meaning: 'The package record is being deleted, and finalizers keep it.',
    remedy: 'Find out whether the controllers that own the finalizers run.',
  },
  'crd-missing': {
    link: 'crds',
    meaning: 'A CRD of the package does not exist.',
    remedy: REINSTALL,
    isPassing: true,
  },
  'crd-terminating': {
    link: 'crds',
    meaning: 'A CRD is being deleted. It stays until the last of its custom resources is gone.',
    remedy:
      'List the custom resources that are left, and find out whether a controller removes their finalizers.',
  },
  'crd-names-conflict': {
    link: 'crds',
    meaning: 'The API server does not accept the names of a CRD: another CRD of the group has them.',
    remedy: 'Remove one of the two CRDs.',
  },
  'crd-not-established': {
    link: 'crds',
    meaning: 'The API server does not serve a CRD.',
    remedy: 'Read the conditions of the CRD.',
  },
  'crd-unclaimed': {
    link: 'crds',
    meaning: 'A CRD has no claim of the install, so that another install may delete it.',
    remedy: 'Install the package again: this claims the CRD.',
    isPassing: true,
  },
  'crd-version-unserved': {
    link: 'crds',
    meaning: 'A CRD no longer serves a version that the package record names.',
    remedy: 'Install the package again, or a version of it that fits the CRD.',
    isPassing: true,
  },
  'account-missing': {
    link: 'account',
    meaning: 'The service account of the controller does not exist.',
    remedy: REINSTALL,
    isPassing: true,
  },
  'role-missing': {
    link: 'roles',
    meaning: 'A role of the controller or of users does not exist.',
    remedy: REINSTALL,
    isPassing: true,
  },
  'role-incomplete': {
    link: 'roles',
    meaning: 'The role of the controller lacks permissions that the package record requires.',
    remedy: 'Install the package again: this restores the role.',
    isPassing: true,
  },
  'binding-missing': {
    link: 'binding',
    meaning: 'The binding of the controller does not exist.',
    remedy: REINSTALL,
    isPassing: true,
  },
  'binding-other-role': {
    link: 'binding',
    meaning: 'The binding of the controller binds a role other than the role of the installed version.',
    remedy: 'Install the package again: this replaces the binding.',
    isPassing: true,
  },
  'binding-other-subject': {
    link: 'binding',
    meaning: 'The binding of the controller does not name its service account.',
    remedy: 'Install the package again: this restores the binding.',
    isPassing: true,
  },
  'controller-missing': {
    link: 'controller',
    meaning: 'The Deployment of the controller does not exist.',
    remedy: REINSTALL,
    isPassing: true,
  },
  'controller-other-account': {
    link: 'controller',
    meaning: 'The Deployment runs under another service account, which has other permissions.',
    remedy: 'Install the package again: this restores the Deployment.',
    isPassing: true,
  },
  'controller-scaled-to-zero': {
    link: 'controller',
    meaning: 'The Deployment has no replicas, though the package record has some.',
    remedy: 'Scale the Deployment.',
  },
  'controller-paused': {
    link: 'controller',
    meaning: 'The Deployment is paused: changes, for example of an upgrade, are not rolled out.',
    remedy: 'Resume the Deployment.',
  },
  'object-terminating': {
    link: 'controller',
    meaning: 'A service account, role, binding or Deployment of the install is being deleted.',
    remedy: 'Find out whether the controllers that own its finalizers run, then install again.',
  },
  'pods-over-quota': {
    link: 'pods',
    meaning: 'The ReplicaSet cannot create Pods: a quota is exceeded.',
    remedy: 'Raise the quota, or delete objects that use it.',
  },
  'pods-rejected': {
    link: 'pods',
    meaning: 'The ReplicaSet cannot create Pods: admission rejects them.',
    remedy: 'Read the message. Pod security and webhooks have to accept the Pods of the package.',
  },
  'pod-unschedulable': {
    link: 'pods',
    meaning: 'No node accepts a Pod.',
    remedy: 'Add a node, or fix the cause that the scheduler reports.',
  },
  'image-pull': {
    link: 'pods',
    meaning: 'An image cannot be pulled.',
    remedy: 'Check the name of the image, the registry and the pull secrets.',
  },
  'container-start': {
    link: 'pods',
    meaning: 'A container cannot be started, for example because a Secret is missing.',
    remedy: 'Create the object in the message.',
  },
  'container-crash': {
    link: 'pods',
    meaning:
      'A container exits with an error, or was restarted more than once and has not run for ten minutes since. The message includes its last output.',
    remedy: 'Read the log of the container.',
  },
  'pod-failed': {
    link: 'pods',
    meaning: 'A Pod failed, for example because it was evicted.',
    remedy: 'Read the message of the Pod.',
  },
  'pod-blocked': {
    link: 'pods',
    meaning: 'A Pod waits for an object of its newest event, for example a volume.',
    remedy: 'Create the object in the event.',
  },
  'controller-unavailable': {
    link: 'pods',
    meaning: 'The Deployment was available, but has been unavailable for at least a minute.',
    remedy: 'Read the events and the log of its Pods.',
  },
  'controller-stalled': {
    link: 'pods',
    meaning:
      'The Deployment did not become available before its progress deadline, or no controller processes it.',
    remedy: 'Read the conditions of the Deployment and the log of its Pods.',
  },
} as const satisfies Readonly<Record<string, BreakKind>>

export type BreakId = keyof typeof BREAK_KINDS

/** The row of an id. */
export function breakKind(id: BreakId): BreakKind {
  return BREAK_KINDS[id]
}
