import {boolean, option, string} from '@oclif/core/flags'
import {ERA_NAMES} from '../render/era.js'
import {PULL_POLICIES} from '../render/request.js'

/** Flags that every command has. */
export const commonFlags = {
  color: option({
    options: ['auto', 'always', 'never'] as const,
    default: 'auto',
    helpGroup: 'GLOBAL',
    summary: 'Colour of messages; auto means on a terminal.',
  })(),
  debug: boolean({helpGroup: 'GLOBAL', summary: 'Show the stack of an error.'}),
}

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

/** Flags that say where a package is found and what it is called. */
export const packageFlags = {
  packages: string({
    env: 'CROSSPLANE_PACKAGES',
    helpGroup: 'PACKAGE',
    helpValue: 'DIR',
    summary: 'Folder of packages, as PATH/VERSION or PATH@VERSION, to look references up in.',
  }),
  'as-package': string({
    helpGroup: 'PACKAGE',
    helpValue: 'REF',
    summary: 'Identity of a local package: its image and version are those of REF.',
  }),
  platform: string({
    env: 'CROSSPLANE_PLATFORM',
    helpGroup: 'PACKAGE',
    helpValue: 'OS/ARCH',
    summary: 'Platform to choose from a multi-platform image (default linux/amd64).',
  }),
}

/** Flags by which a package is made into an image. */
export const buildFlags = {
  from: string({
    helpGroup: 'IMAGE',
    helpValue: 'IMAGE',
    summary: "Image to put the package on, such as its controller's; every platform of it gets the package.",
  }),
  'bake-metadata': boolean({
    helpGroup: 'IMAGE',
    summary: 'Write groups, resources, icons and ui-schemas into the CRDs, and leave their files out.',
  }),
  api: option({
    options: ERA_NAMES,
    default: 'packages',
    env: 'CROSSPLANE_API',
    helpGroup: 'IMAGE',
    summary: 'API whose annotations --bake-metadata writes.',
  })(),
  'no-lint': boolean({
    helpGroup: 'IMAGE',
    summary: 'Build whatever can be read, with what lint calls errors.',
  }),
  output: option({
    char: 'o',
    options: ['text', 'json'] as const,
    default: 'text',
    helpGroup: 'OUTPUT',
    summary: 'Output format.',
  })(),
}
