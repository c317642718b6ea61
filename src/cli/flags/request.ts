import {boolean, option, string} from '@oclif/core/flags'
import {ERA_NAMES} from '../../render/era.js'
import {PULL_POLICIES} from '../../reference/pull-policy.js'

/** Flags that say what a request asks for. */
export const requestFlags = {
  api: option({
    options: ERA_NAMES,
    default: 'packages',
    env: 'CROSSPLANE_API',
    helpGroup: 'REQUEST',
    summary: 'API of the objects: that of v0.11 and v0.12, or that of releases up to v0.10.',
  })(),
  scope: option({
    options: ['Cluster', 'Namespaced'] as const,
    helpGroup: 'REQUEST',
    summary: 'Permission scope of the request; otherwise the package decides.',
  })(),
  cluster: boolean({char: 'c', hidden: true, exclusive: ['scope'], summary: 'The same as --scope Cluster.'}),
  namespace: string({
    char: 'n',
    helpGroup: 'REQUEST',
    helpValue: 'NAME',
    summary: 'Namespace of the install; a Namespaced package needs one.',
  }),
  source: string({
    env: 'CROSSPLANE_REQUEST_SOURCE',
    helpGroup: 'REQUEST',
    helpValue: 'REGISTRY',
    summary: 'Registry, with or without a path, for images that name none.',
  }),
  'image-pull-secret': string({
    aliases: ['imagePullSecret'],
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'REQUEST',
    helpValue: 'NAME',
    summary: 'Secret to pull images with; may be given several times.',
  }),
  'image-pull-policy': option({
    options: PULL_POLICIES,
    helpGroup: 'REQUEST',
    summary: 'Pull policy of every container.',
  })(),
  'service-account-annotation': string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'REQUEST',
    helpValue: 'KEY=VALUE',
    summary: "Annotation of the controller's service account; may be given several times.",
  }),
}

/** Namespaces of what is installed. */
export const placeFlags = {
  namespace: requestFlags.namespace,
  'system-namespace': string({
    env: 'CROSSPLANE_SYSTEM_NAMESPACE',
    helpGroup: 'REQUEST',
    helpValue: 'NAME',
    summary: 'Namespace of Cluster packages (default: crossplane-system).',
  }),
}
