import {boolean, string} from '@oclif/core/flags'

/** The registry of names without one. */
export const sourceFlag = {
  'default-source': string({
    env: 'CROSSPLANE_SOURCE',
    helpGroup: 'REGISTRY',
    helpValue: 'REGISTRY',
    summary: 'Registry, with or without a path, of references without one (default: docker.io)',
  }),
}

/** Where packages are read from in place of their registries. */
export const mirrorFlag = {
  mirror: string({
    multiple: true,
    multipleNonGreedy: true,
    env: 'CROSSPLANE_MIRRORS',
    helpGroup: 'REGISTRY',
    helpValue: 'FROM=TO',
    summary:
      'Read packages of registry FROM, with or without a path, from TO; can be repeated, names do not change',
  }),
}

/** Flags for connections to registries. Those that make a connection less secure have no environment variable. */
export const registryFlags = {
  'ca-file': string({
    env: 'CROSSPLANE_CA_FILE',
    helpGroup: 'REGISTRY',
    helpValue: 'FILE',
    summary: 'Additional trusted CA certificates (PEM)',
  }),
  'client-cert': string({
    env: 'CROSSPLANE_CLIENT_CERT',
    helpGroup: 'REGISTRY',
    helpValue: 'FILE',
    summary: 'Client certificate (PEM); requires --client-key',
  }),
  'client-key': string({
    env: 'CROSSPLANE_CLIENT_KEY',
    helpGroup: 'REGISTRY',
    helpValue: 'FILE',
    summary: 'Private key of the client certificate (PEM), without a passphrase',
  }),
  'insecure-skip-tls-verify': boolean({
    helpGroup: 'REGISTRY',
    summary: 'Skip TLS certificate verification (insecure)',
  }),
  'plain-http': boolean({
    helpGroup: 'REGISTRY',
    summary: 'Use plain HTTP; not needed for registries on localhost',
  }),
}

/** For commands that need whole images, which the cache does not keep. */
export const noRegistryFlag = {
  offline: boolean({
    env: 'CROSSPLANE_OFFLINE',
    helpGroup: 'REGISTRY',
    summary: 'Do not access the network',
  }),
}
