import {boolean, option, string} from '@oclif/core/flags'
import {ERA_NAMES} from '../render/era.js'
import {PULL_POLICIES} from '../reference/pull-policy.js'

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

/** Flags that decide what packages are chosen for what others need. */
export const resolutionFlags = {
  owner: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'DEPENDENCIES',
    helpValue: 'GROUP=PACKAGE',
    summary: 'Package that you trust with an API group, or with *.SUFFIX; may be given several times.',
  }),
  assume: string({
    multiple: true,
    multipleNonGreedy: true,
    helpGroup: 'DEPENDENCIES',
    helpValue: 'FILE|CRD',
    summary: 'CRD that is there already, or file (.yaml, .json) with some; may be given several times.',
  }),
  'crossplane-version': string({
    default: 'v0.12',
    env: 'CROSSPLANE_VERSION',
    helpGroup: 'DEPENDENCIES',
    helpValue: 'VERSION',
    summary: "Crossplane whose own kinds are taken to be there; none for today's, which has none of them.",
  }),
  'allow-version-mismatch': boolean({
    helpGroup: 'DEPENDENCIES',
    summary: 'Where nothing fits, accept as few versions as possible that were not asked for.',
  }),
  'dependency-namespace': string({
    helpGroup: 'DEPENDENCIES',
    helpValue: 'NAME',
    summary: 'Namespace of Namespaced packages that Cluster ones need.',
  }),
  'solve-timeout': string({
    default: '30s',
    env: 'CROSSPLANE_SOLVE_TIMEOUT',
    helpGroup: 'DEPENDENCIES',
    helpValue: 'DURATION',
    summary: 'How long to look for packages that fit together, such as 500ms, 30s or 2m.',
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

/** What may be asked for in place of a reference. */
export const declarationFlags = {
  crd: string({
    helpGroup: 'PACKAGE',
    helpValue: 'CRD',
    summary: 'RESOURCE.GROUP[/VERSION] in place of REF: whatever package defines it.',
  }),
  declaration: string({
    helpGroup: 'PACKAGE',
    helpValue: 'FILE',
    summary: 'File that says what is wanted, crossplane-packages.yaml, in place of REF; - is standard input.',
  }),
}
