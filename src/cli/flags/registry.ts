import {boolean, string} from '@oclif/core/flags'

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

/** For commands that need whole images, which the cache does not keep. */
export const noRegistryFlag = {
  offline: boolean({
    env: 'CROSSPLANE_OFFLINE',
    helpGroup: 'REGISTRY',
    summary: 'Ask nothing of a registry: what only one can do is refused.',
  }),
}
