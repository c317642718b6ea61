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
  debug: boolean({
    helpGroup: 'GLOBAL',
    summary: 'Show the stack of an error, and each request to a registry without its secrets.',
  }),
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

/** Where names without a registry are looked up. */
export const sourceFlag = {
  'default-source': string({
    env: 'CROSSPLANE_SOURCE',
    helpGroup: 'REGISTRY',
    helpValue: 'REGISTRY',
    summary: 'Registry, with or without a path, of references that name none (default docker.io).',
  }),
}

/** Flags that say how registries are spoken to. What makes a connection less safe has no environment variable. */
export const registryFlags = {
  'ca-file': string({
    env: 'CROSSPLANE_CA_FILE',
    helpGroup: 'REGISTRY',
    helpValue: 'FILE',
    summary: 'PEM certificates of authorities to trust besides the usual ones.',
  }),
  'client-cert': string({
    env: 'CROSSPLANE_CLIENT_CERT',
    helpGroup: 'REGISTRY',
    helpValue: 'FILE',
    summary: 'PEM certificate to show to the registry; needs --client-key.',
  }),
  'client-key': string({
    env: 'CROSSPLANE_CLIENT_KEY',
    helpGroup: 'REGISTRY',
    helpValue: 'FILE',
    summary: 'PEM key of the client certificate, without a passphrase.',
  }),
  'insecure-skip-tls-verify': boolean({
    helpGroup: 'REGISTRY',
    summary: 'Believe every certificate; who listens in can read passwords and change packages.',
  }),
  'plain-http': boolean({
    helpGroup: 'REGISTRY',
    summary: 'Speak HTTP without TLS; never needed for registries on this machine.',
  }),
}

/** Where pulled packages are kept. */
export const cacheDirFlag = {
  'cache-dir': string({
    env: 'CROSSPLANE_CACHE_DIR',
    helpGroup: 'CACHE',
    helpValue: 'DIR',
    summary: 'Folder of pulled packages; otherwise kubectl-crossplane in $XDG_CACHE_HOME or ~/.cache.',
  }),
}

/** Flags that say what a pull may take from where. */
const cacheFlags = {
  ...cacheDirFlag,
  'no-cache': boolean({
    helpGroup: 'CACHE',
    exclusive: ['offline'],
    summary: 'Pull packages anew and keep nothing.',
  }),
  offline: boolean({
    env: 'CROSSPLANE_OFFLINE',
    helpGroup: 'CACHE',
    summary: 'Take packages from the cache only; nothing is asked of a registry.',
  }),
}

/** For commands that need whole images, which the cache does not keep. */
export const noRegistryFlag = {
  offline: boolean({
    env: 'CROSSPLANE_OFFLINE',
    helpGroup: 'REGISTRY',
    summary: 'Ask nothing of a registry: what only one can do is refused.',
  }),
}

/** Flags of commands that read packages, wherever these are. */
export const pullFlags = {...sourceFlag, ...registryFlags, ...cacheFlags}

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

/** The file that says what was chosen before. */
export const lockFileFlag = {
  'lock-file': string({
    helpGroup: 'DEPENDENCIES',
    helpValue: 'FILE',
    summary: "Lock with what was chosen before; by default the declaration's, with .lock for .yaml.",
  }),
}

/** Flags of commands that choose packages and write no lock. */
export const lockFlags = {
  'lock-file': string({
    helpGroup: 'DEPENDENCIES',
    helpValue: 'FILE',
    summary: 'Lock of package lock: what was chosen before is chosen again where it still fits.',
  }),
  locked: boolean({
    helpGroup: 'DEPENDENCIES',
    summary: "Refuse whatever differs from the lock, by default the declaration's.",
  }),
}
