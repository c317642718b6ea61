import {boolean, string} from '@oclif/core/flags'

/** The options of `--kubeconfig`, for commands where it needs another flag. */
export const kubeconfigOptions = {
  helpGroup: 'CLUSTER',
  helpValue: 'FILE',
  summary: 'Kubeconfig file (default: $KUBECONFIG or ~/.kube/config)',
}

/** Flags that select a cluster and a user, as kubectl has them. */
export const clusterFlags = {
  kubeconfig: string(kubeconfigOptions),
  context: string({
    helpGroup: 'CLUSTER',
    helpValue: 'NAME',
    summary: 'Context of the kubeconfig (default: the current context)',
  }),
  as: string({
    helpGroup: 'CLUSTER',
    helpValue: 'USER',
    summary: 'User to impersonate',
  }),
  'as-group': string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'CLUSTER',
    helpValue: 'GROUP',
    summary: 'Group to impersonate; can be repeated',
  }),
  'as-uid': string({
    helpGroup: 'CLUSTER',
    helpValue: 'UID',
    summary: 'UID to impersonate',
  }),
}

/** The namespace of an install. */
export const installFlags = {
  namespace: string({
    char: 'n',
    helpGroup: 'CLUSTER',
    helpValue: 'NAME',
    summary: "Namespace of the install (default: the context's)",
  }),
}

/** Flags of commands that can read the graph of a cluster instead of resolving a request. */
export const installedFlags = {
  installed: boolean({
    exclusive: ['declaration', 'crd', 'locked', 'lock-file'],
    helpGroup: 'CLUSTER',
    summary: 'Use the installed packages of a cluster instead of REF',
  }),
  ...clusterFlags,
}
