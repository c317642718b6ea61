import {boolean, option, string} from '@oclif/core/flags'
import {ERA_NAMES} from '../../reference/era-name.js'
import {PULL_POLICIES} from '../../reference/pull-policy.js'

/** Flags for the fields of an install request. */
export const requestFlags = {
  api: option({
    options: ERA_NAMES,
    default: 'packages',
    env: 'CROSSPLANE_API',
    helpGroup: 'REQUEST',
    summary: 'Package API: packages (v0.11, v0.12) or stacks (up to v0.10)',
  })(),
  scope: option({
    options: ['Cluster', 'Namespaced'] as const,
    helpGroup: 'REQUEST',
    summary: "Permission scope of the request (default: the package's)",
  })(),
  cluster: boolean({char: 'c', hidden: true, exclusive: ['scope'], summary: 'Same as --scope Cluster'}),
  namespace: string({
    char: 'n',
    helpGroup: 'REQUEST',
    helpValue: 'NAME',
    summary: 'Namespace of the install; required for Namespaced packages',
  }),
  source: string({
    env: 'CROSSPLANE_REQUEST_SOURCE',
    helpGroup: 'REQUEST',
    helpValue: 'REGISTRY',
    summary: 'Registry, with or without a path, of images without one',
  }),
  'image-pull-secret': string({
    aliases: ['imagePullSecret'],
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'REQUEST',
    helpValue: 'NAME',
    summary: 'Secret to pull images with; can be repeated',
  }),
  'image-pull-policy': option({
    options: PULL_POLICIES,
    helpGroup: 'REQUEST',
    summary: 'Pull policy of all containers',
  })(),
  'service-account-annotation': string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'REQUEST',
    helpValue: 'KEY=VALUE',
    summary: "Annotation of the controller's service account; can be repeated",
  }),
}

/** Namespaces of installs. */
export const placeFlags = {
  namespace: requestFlags.namespace,
  'system-namespace': string({
    env: 'CROSSPLANE_SYSTEM_NAMESPACE',
    helpGroup: 'REQUEST',
    helpValue: 'NAME',
    summary: 'Namespace of Cluster packages (default: crossplane-system)',
  }),
}

/** The same flag for a command in which it has another meaning. */
export function withSummary<Flag>(flag: Flag, summary: string): Flag {
  return {...flag, summary}
}

/** The same flag, not listed in help. */
export function hidden<Flag>(flag: Flag): Flag {
  return {...flag, hidden: true}
}
