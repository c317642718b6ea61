import {base64} from './connecting.js'
import {type Case, config, DEFAULT_CONFIG, plugin, secure, V1, type World} from './kubectl-cases.js'

/** What kubectl rejects, we reject. Not the other way round: without a cluster, kubectl connects to localhost:8080. */
export const REJECTED: readonly Case[] = [
  {name: 'a --kubeconfig that is not found', files: () => ({}), flags: {kubeconfig: 'absent'}},
  {
    name: 'an unknown --context',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world))}),
    flags: {context: 'x'},
  },
  {
    name: 'a current context that is not defined',
    files: world => ({[DEFAULT_CONFIG]: {...config(secure(world)), 'current-context': 'x'}}),
  },
  {name: 'another kind', files: world => ({[DEFAULT_CONFIG]: {...config(secure(world)), kind: 'Pod'}})},
  {
    name: 'another apiVersion',
    files: world => ({[DEFAULT_CONFIG]: {...config(secure(world)), apiVersion: 'v2'}}),
  },
  {name: 'a number for a token', files: world => ({[DEFAULT_CONFIG]: config(secure(world), {token: 1})})},
  {
    name: 'invalid base64',
    files: world => ({[DEFAULT_CONFIG]: config({...secure(world), 'certificate-authority-data': 'a'})}),
  },
  {
    name: 'two clusters of a name',
    files: world => ({
      [DEFAULT_CONFIG]: {
        ...config(secure(world)),
        clusters: [
          {name: 'one', cluster: secure(world)},
          {name: 'one', cluster: secure(world)},
        ],
      },
    }),
  },
  {
    name: 'a CA and no verification',
    files: world => ({[DEFAULT_CONFIG]: config({...secure(world), 'insecure-skip-tls-verify': true})}),
  },
  {
    name: 'a CA and a file of it',
    files: world => ({
      [DEFAULT_CONFIG]: config({...secure(world), 'certificate-authority': 'ca.crt'}),
      '.kube/ca.crt': world.ca,
    }),
  },
  {
    name: 'a CA that is not PEM',
    files: world => ({
      [DEFAULT_CONFIG]: config({...secure(world), 'certificate-authority-data': base64('x')}),
    }),
  },
  {
    name: 'a CA file that is not found',
    files: ({port}) => ({
      [DEFAULT_CONFIG]: config({server: `https://localhost:${port}`, 'certificate-authority': 'x'}),
    }),
  },
  {
    name: 'a server that no trusted CA signed',
    files: ({port}) => ({[DEFAULT_CONFIG]: config({server: `https://localhost:${port}`})}),
  },
  {
    name: 'another proxy',
    files: world => ({[DEFAULT_CONFIG]: config({...secure(world), 'proxy-url': 'ftp://x'})}),
  },
  {
    name: 'a token and a password',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {token: 'a', username: 'b', password: 'c'})}),
  },
  {
    name: 'a token file and a password',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {tokenFile: 'token', username: 'b', password: 'c'}),
      '.kube/token': 'a',
    }),
  },
  {
    name: 'a token file not found',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {tokenFile: 'x'})}),
  },
  {
    name: 'an empty token file',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {tokenFile: 'x'}), '.kube/x': ''}),
  },
  {
    name: 'a token with a line break',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world), {token: 'a\nb'})}),
  },
  {
    name: 'a certificate without a key',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {'client-certificate-data': base64(world.client.cert)}),
    }),
  },
  {
    name: 'a key of another certificate',
    files: world => ({
      [DEFAULT_CONFIG]: config(secure(world), {
        'client-certificate-data': base64(world.ca),
        'client-key-data': base64(world.client.key),
      }),
    }),
  },
  {
    name: 'groups without a user',
    files: world => ({[DEFAULT_CONFIG]: config(secure(world))}),
    flags: {'as-group': ['a']},
  },
  ...[
    {name: 'not found', exec: {}},
    {name: 'without a command', exec: {command: ''}},
    {name: 'without a mode', exec: {interactiveMode: ''}},
    {name: 'with another mode', exec: {interactiveMode: 'x'}},
    {name: 'of an old version', exec: {apiVersion: `${V1}alpha1`}},
    {name: 'with a variable without a name', exec: {env: [{value: 'x'}]}},
    {name: 'that requires a terminal', exec: {command: './login', interactiveMode: 'Always'}},
    {name: 'that answers in another version', exec: {command: './login', apiVersion: `${V1}beta1`}},
    {name: 'without credentials', exec: {command: './none'}},
    {name: 'that prints text', exec: {command: 'true'}},
    {name: 'that fails', exec: {command: 'false'}},
    {name: 'with another time', exec: {command: './time'}},
  ].map(({name, exec}) => ({
    name: `an exec plugin ${name}`,
    files: (world: World) => ({
      [DEFAULT_CONFIG]: config(secure(world), {
        exec: {apiVersion: V1, command: './absent', interactiveMode: 'Never', ...exec},
      }),
      '.kube/login': plugin({token: 'from-plugin'}),
      '.kube/none': plugin({}),
      '.kube/time': plugin({token: 'x', expirationTimestamp: 'tomorrow'}),
    }),
  })),
]
