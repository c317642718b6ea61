import type {ClusterFlags} from '../../../src/cli/cluster/cluster-connection.js'
import type {Certificate} from '../../private-authority.js'
import {base64} from './connecting.js'

/** What a case can use: everything is made anew for the suite. */
export interface World {
  readonly port: number
  readonly plainPort: number
  readonly proxyPort: number
  readonly socksPort: number
  readonly ca: string
  readonly client: Certificate
}

/** Files below the home folder of the case, flags, and variables; KUBECONFIG is relative to that folder. */
export interface Case {
  readonly name: string
  readonly files: (world: World) => Readonly<Record<string, object | string>>
  readonly flags?: ClusterFlags
  readonly KUBECONFIG?: string
  readonly env?: (world: World) => Readonly<Record<string, string>>
  /** Whether kubectl would prompt for a password, so that only what it resolves is compared. */
  readonly isAnonymous?: true
}

/** The file that is read if nothing else is named. */
export const DEFAULT_CONFIG = '.kube/config'

/** A kubeconfig whose context `here` is of the fields of its cluster and user. */
export function config(cluster: object, user: object = {}, context: object = {}): object {
  return {
    'current-context': 'here',
    contexts: [{name: 'here', context: {cluster: 'one', user: 'me', ...context}}],
    clusters: [{name: 'one', cluster}],
    users: [{name: 'me', user}],
  }
}

/** A plugin that keeps what it is passed in `info`, next to it, and prints a credential. */
export function plugin(status: object, apiVersion = 'client.authentication.k8s.io/v1'): string {
  const credential = JSON.stringify({kind: 'ExecCredential', apiVersion, status})
  return `#!/bin/sh\nprintf %s "$A $1 $KUBERNETES_EXEC_INFO" >"$(dirname "$0")/info"\ncat <<'END'\n${credential}\nEND\n`
}

/** The server of the suite, and its CA. */
export const secure = ({port, ca}: World) => ({
  server: `https://localhost:${port}`,
  'certificate-authority-data': base64(ca),
})
const TOKEN = {token: 'abc'}
export const V1 = 'client.authentication.k8s.io/v1'

/** Connections that equal those of kubectl. */
export const CASES: readonly Case[] = [
  {name: 'a token', files: world => ({[DEFAULT_CONFIG]: config(secure(world), {token: 'abc'})})},
  {name: 'an anonymous user', isAnonymous: true, files: world => ({[DEFAULT_CONFIG]: config(secure(world))})},
  {
    name: 'a context without a user',
    isAnonymous: true,
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {token: 'abc'}, {user: ''})}),
  },
  {
    name: 'a namespace',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {token: 'abc'}, {namespace: 'team'})}),
  },
  {
    name: 'a path before that of the API',
    files: world => ({
      [DEFAULT_CONFIG]: config(
        {...secure(world), server: `https://localhost:${world.port}/k8s/c-1/?a=b`},
        TOKEN,
      ),
    }),
  },
  {
    name: 'files by relative paths',
    files: world => ({
      [DEFAULT_CONFIG]: config(
        {server: `https://127.0.0.1:${world.port}`, 'certificate-authority': '../pki/ca.crt'},
        {'client-certificate': './me.crt', 'client-key': 'me.key', tokenFile: '../token'},
      ),
      'pki/ca.crt': world.ca,
      '.kube/me.crt': world.client.cert,
      '.kube/me.key': world.client.key,
      token: 'from-file\n',
    }),
  },
  {
    name: 'a client certificate in the kubeconfig',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {
        'client-certificate-data': base64(world.client.cert),
        'client-key-data': base64(world.client.key),
      }),
    }),
  },
  {
    name: 'a token file, whose content precedes a token',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {token: 'abc', tokenFile: 'token'}),
      '.kube/token': ' from-file\n\n',
    }),
  },
  {
    name: 'a token, where its file is not found',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {token: 'abc', tokenFile: 'absent'})}),
  },
  {
    name: 'a password',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {username: 'jöe', password: 'a:b c'})}),
  },
  {
    name: 'a password without a user name',
    isAnonymous: true,
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {password: 'abc'})}),
  },
  {
    name: 'a password in the URL',
    files: world => ({
      [DEFAULT_CONFIG]: config(
        {...secure(world), server: `https://a:b%20c@localhost:${world.port}`},
        {token: 'x'},
      ),
    }),
  },
  {
    name: 'an impersonated user',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {
        token: 'abc',
        as: 'jäne',
        'as-uid': '7',
        'as-groups': ['dev', 'ops, all'],
        'as-user-extra': {'example.org/Scope %': ['1', '2'], none: []},
      }),
    }),
  },
  {
    name: 'flags of impersonation',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {...TOKEN, as: 'jane', 'as-groups': ['dev'], 'as-uid': '7'}),
    }),
    flags: {as: 'joe', 'as-group': ['a', 'b'], 'as-uid': '8'},
  },
  {
    name: '--as alone',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {...TOKEN, as: 'jane', 'as-groups': ['dev']})}),
    flags: {as: 'joe'},
  },
  {
    name: 'no verification',
    files: ({port}) => ({
      [DEFAULT_CONFIG]: config(
        {server: `https://localhost:${port}`, 'insecure-skip-tls-verify': true},
        {token: 'a'},
      ),
    }),
  },
  {
    name: 'another name in the certificate',
    files: world => ({
      [DEFAULT_CONFIG]: config(
        {
          ...secure(world),
          server: `https://127.0.0.1:${world.port}`,
          'tls-server-name': 'api.example.org',
        },
        TOKEN,
      ),
    }),
  },
  {
    name: 'plain HTTP, over which no credentials are sent',
    files: ({plainPort}) => ({
      [DEFAULT_CONFIG]: config({server: `http://127.0.0.1:${plainPort}`}, {token: 'abc', as: 'jane'}),
    }),
  },
  {
    name: 'a host without a scheme',
    files: ({plainPort}) => ({[DEFAULT_CONFIG]: config({server: `127.0.0.1:${plainPort}`}, {token: 'abc'})}),
  },
  {
    name: 'a proxy, also for this machine',
    files: world => ({
      [DEFAULT_CONFIG]: config({...secure(world), 'proxy-url': `http://127.0.0.1:${world.proxyPort}`}, TOKEN),
    }),
    env: () => ({NO_PROXY: '*'}),
  },
  {
    name: 'a SOCKS proxy, which looks up the host',
    files: world => ({
      [DEFAULT_CONFIG]: config(
        {
          ...secure(world),
          server: `https://api.example.org:${world.port}`,
          'proxy-url': `socks5://127.0.0.1:${world.socksPort}`,
        },
        {'client-certificate-data': base64(world.client.cert), 'client-key-data': base64(world.client.key)},
      ),
    }),
  },
  {
    name: 'an address through a SOCKS proxy of the environment',
    files: world => ({
      [DEFAULT_CONFIG]: config({...secure(world), server: `https://192.0.2.1:${world.port}`}, TOKEN),
    }),
    env: ({socksPort}) => ({HTTPS_PROXY: `socks5://127.0.0.1:${socksPort}`}),
  },
  {
    name: 'plain HTTP through a SOCKS proxy',
    files: ({plainPort, socksPort}) => ({
      [DEFAULT_CONFIG]: config({
        server: `http://api.example.org:${plainPort}`,
        'proxy-url': `socks5://127.0.0.1:${socksPort}`,
      }),
    }),
  },
  {
    name: 'the proxy of the environment',
    files: world => ({
      [DEFAULT_CONFIG]: config({...secure(world), server: `https://api.example.org:${world.port}`}, TOKEN),
    }),
    env: ({proxyPort}) => ({HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`}),
  },
  {
    name: 'a list, of which the first file with an entry decides',
    KUBECONFIG: ':1/config:absent:2/config:1/config',
    files: world => ({
      '1/config': {'current-context': 'b', users: [{name: 'me', user: {tokenFile: 'token'}}]},
      '1/token': 'first',
      '2/config': {
        'current-context': 'a',
        contexts: [{name: 'b', context: {cluster: 'one', user: 'me'}}],
        clusters: [{name: 'one', cluster: secure(world)}],
        users: [{name: 'me', user: {token: 'second', as: 'jane'}}],
      },
    }),
  },
  {
    name: '--kubeconfig before KUBECONFIG, and --context',
    KUBECONFIG: 'x',
    flags: {kubeconfig: 'y', context: 'other'},
    files: world => ({
      x: config({server: 'https://absent.example.org'}, {token: 'x'}),
      y: {
        ...config(secure(world), {token: 'y'}),
        contexts: [{name: 'other', context: {cluster: 'one', user: 'me'}}],
      },
    }),
  },
  {
    name: 'an exec plugin by its path',
    files: world => ({
      [DEFAULT_CONFIG]: config(
        {
          ...secure(world),
          'tls-server-name': 'api.example.org',
          extensions: [{name: 'client.authentication.k8s.io/exec', extension: {audience: 'a'}}],
        },
        {
          exec: {
            apiVersion: V1,
            command: './login',
            args: ['1'],
            env: [{name: 'A', value: 'b'}],
            provideClusterInfo: true,
            interactiveMode: 'IfAvailable',
          },
        },
      ),
      '.kube/login': plugin({token: 'from-plugin'}),
    }),
  },
  {
    name: 'an exec plugin of the version before, with a client certificate',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {
        exec: {apiVersion: `${V1}beta1`, command: './login', provideClusterInfo: true},
      }),
      '.kube/login': plugin(
        {
          token: 'from-plugin',
          clientCertificateData: world.client.cert,
          clientKeyData: world.client.key,
          expirationTimestamp: '2099-01-01T00:00:00Z',
        },
        `${V1}beta1`,
      ),
    }),
  },
  {
    name: 'an exec plugin besides a token',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {
        token: 'abc',
        exec: {apiVersion: V1, command: './absent', interactiveMode: 'Never'},
      }),
    }),
  },
]
