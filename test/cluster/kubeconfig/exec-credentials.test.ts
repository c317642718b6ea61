import {beforeAll, describe, expect, it} from '@jest/globals'
import {connect} from '../../../src/cluster/kubeconfig/connect.js'
import type {KeyPair} from '../../../src/pem.js'
import type {ExecCommand, ExecPlugins, ExecResult} from '../../../src/cluster/kubeconfig/ports.js'
import type {Http} from '../../../src/http/http.js'
import {type PrivateAuthority, privateAuthority} from '../../private-authority.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {base64, CONFIG, connecting, kubeconfig, memoryFiles, NO_ISSUER} from './connecting.js'

const temporary = temporaryFolder()
let authority: PrivateAuthority
beforeAll(() => {
  authority = privateAuthority(temporary)
})

const V1 = 'client.authentication.k8s.io/v1'
const SECRET = 's3cr3t'
const EXEC = {apiVersion: V1, command: 'login', interactiveMode: 'Never'}

/** What a plugin prints. */
function credential(status: object, apiVersion = V1): string {
  return JSON.stringify({kind: 'ExecCredential', apiVersion, status})
}

/** Plugins that print these in turn, the last one again and again, and the commands that were run. */
function printing(...outputs: readonly string[]): ExecPlugins & {readonly ran: ExecCommand[]} {
  const ran: ExecCommand[] = []
  return {
    ran,
    isTerminal: () => false,
    run: command => {
      ran.push(command)
      const output = Buffer.from(outputs[Math.min(ran.length, outputs.length) - 1] ?? '')
      return Promise.resolve({kind: 'exited', status: 0, output})
    },
  }
}

describe('an exec plugin', () => {
  it.each([
    {
      name: 'is passed its version and that it cannot prompt',
      exec: EXEC,
      spec: {interactive: false},
    },
    {
      name: 'can prompt on a terminal',
      exec: {...EXEC, interactiveMode: 'IfAvailable'},
      isTerminal: true,
      spec: {interactive: true},
    },
    {
      name: 'v1beta1: can prompt by default',
      exec: {apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'login'},
      isTerminal: true,
      spec: {interactive: true},
    },
    {
      name: 'runs without a terminal, if it only can use one',
      exec: {...EXEC, interactiveMode: 'IfAvailable'},
      spec: {interactive: false},
    },
    {
      name: 'is passed the cluster on request',
      exec: {...EXEC, provideClusterInfo: true},
      cluster: {
        'tls-server-name': 'kubernetes',
        'insecure-skip-tls-verify': true,
        'proxy-url': 'http://proxy:3128',
        extensions: [
          {name: 'other', extension: 1},
          {name: 'client.authentication.k8s.io/exec', extension: {audience: 'a'}},
        ],
      },
      spec: {
        cluster: {
          server: 'https://api.example.org:6443',
          'tls-server-name': 'kubernetes',
          'insecure-skip-tls-verify': true,
          'proxy-url': 'http://proxy:3128',
          config: {audience: 'a'},
        },
        interactive: false,
      },
    },
  ])('$name', async ({exec, cluster = {}, isTerminal = false, spec}) => {
    const plugins = printing(credential({token: 'abc'}, exec.apiVersion))
    const ports = {plugins: {...plugins, isTerminal: () => isTerminal}}
    const connected = await connecting({[CONFIG]: kubeconfig(cluster, {exec})}, {}, ports)
    expect(connected).toMatchObject({headers: {authorization: 'Bearer abc'}})
    const info = {kind: 'ExecCredential', apiVersion: exec.apiVersion, spec}
    expect(plugins.ran.map(({env: [each], interactive}) => ({each, interactive}))).toEqual([
      {each: {name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info)}, interactive: spec.interactive},
    ])
  })

  it.each([
    {command: 'login', want: 'login'},
    {command: './login', want: '/home/a/.kube/login'},
    {command: '../bin/login', want: '/home/a/bin/login'},
    {command: '/bin/login', want: '/bin/login'},
  ])('the command $command is $want', async ({command, want}) => {
    const plugins = printing(credential({token: 'abc'}))
    const exec = {...EXEC, command, args: ['-x', '$HOME'], env: [{name: 'A', value: '1'}]}
    await connecting({[CONFIG]: kubeconfig({}, {exec})}, {}, {plugins})
    expect(plugins.ran).toEqual([
      {
        command: want,
        args: ['-x', '$HOME'],
        env: [{name: 'A', value: '1'}, expect.objectContaining({name: 'KUBERNETES_EXEC_INFO'})],
        interactive: false,
      },
    ])
  })

  it.each([
    {name: 'a token', user: {token: 'x'}, authorization: 'Bearer x'},
    {name: 'a password', user: {username: 'a', password: 'b'}, authorization: `Basic ${base64('a:b')}`},
  ])('is not run for a user with $name', async ({user, authorization}) => {
    const plugins = printing('')
    const files = {[CONFIG]: kubeconfig({}, {exec: EXEC, ...user})}
    expect(await connecting(files, {}, {plugins})).toMatchObject({headers: {authorization}})
    expect(plugins.ran).toEqual([])
  })

  it('is not run for a user with a client certificate', async () => {
    const {cert, key} = authority.issue('own', ['DNS:a'])
    const user = {exec: EXEC, 'client-certificate-data': base64(cert), 'client-key-data': base64(key)}
    const plugins = printing('')
    expect(await connecting({[CONFIG]: kubeconfig({}, user)}, {}, {plugins})).toMatchObject({
      headers: {},
      shown: {cert, key},
    })
    expect(plugins.ran).toEqual([])
  })
})

describe('its credentials', () => {
  const session = async (plugins: ExecPlugins, now: () => number = () => 0) => {
    const shown: (KeyPair | undefined)[] = []
    const answer = {status: 200, headers: {}, body: [] as unknown as AsyncIterable<Uint8Array>}
    const http: Http = {send: () => Promise.resolve(answer)}
    const connection = await connect(
      {explicit: '', listed: [CONFIG], env: {}},
      {
        files: memoryFiles({[CONFIG]: kubeconfig({}, {exec: EXEC})}),
        clock: {now},
        plugins,
        oidc: NO_ISSUER,
        openHttp: (_, pair) => {
          shown.push(pair)
          return Promise.resolve(http)
        },
      },
    )
    const authorization = async (renew = false) => (await connection.headers(renew)).authorization
    const send = async () => await connection.http.send({method: 'GET', url: connection.server, headers: {}})
    return {authorization, send, shown}
  }

  it('are used until they expire', async () => {
    const expires = '2030-01-01T00:00:00+01:00'
    const plugins = printing(credential({token: 'a', expirationTimestamp: expires}), credential({token: 'b'}))
    let time = Date.parse('2029-12-31T22:59:59Z')
    const {authorization} = await session(plugins, () => time)
    expect([await authorization(), await authorization()]).toEqual(['Bearer a', 'Bearer a'])
    time += 2000
    expect([await authorization(), await authorization()]).toEqual(['Bearer b', 'Bearer b'])
    expect(plugins.ran.length).toBe(2)
  })

  it('are replaced after a 401, once for all that wait', async () => {
    const plugins = printing(credential({token: 'a'}), credential({token: 'b'}))
    const {authorization} = await session(plugins)
    expect(await authorization()).toBe('Bearer a')
    expect(await Promise.all([authorization(true), authorization(true), authorization()])).toEqual([
      'Bearer b',
      'Bearer b',
      'Bearer b',
    ])
    expect(plugins.ran.length).toBe(2)
  })

  it('are requested again after a failure', async () => {
    const plugins = printing('', credential({token: 'b'}))
    const {authorization} = await session(plugins)
    await expect(authorization()).rejects.toMatchObject({code: 'credentials-failed'})
    expect(await authorization()).toBe('Bearer b')
  })

  it('can be a client certificate, whose replacement needs new connections', async () => {
    const [a, b] = ['a', 'b'].map(name => authority.issue(name, ['DNS:a']))
    const pair = ({cert, key}: KeyPair) => ({clientCertificateData: cert, clientKeyData: key})
    const plugins = printing(...[a, b].map(each => credential({token: 't', ...(each && pair(each))})))
    const {authorization, send, shown} = await session(plugins)
    await send()
    await send()
    expect(await authorization(true)).toBe('Bearer t')
    await send()
    expect(shown.map(each => each?.cert)).toEqual([a?.cert, b?.cert])
  })
})

describe('an exec plugin is rejected', () => {
  const exited = (output: string, status = 0): ExecResult => ({
    kind: 'exited',
    status,
    output: Buffer.from(output),
  })
  it.each([
    {
      name: 'that is not installed',
      result: {kind: 'absent'},
      names: ['login', '"me"', 'not found', 'Install it'],
    },
    {
      name: 'with its hint',
      result: {kind: 'absent'},
      exec: {installHint: 'Run:\n  brew install\u001b[31m login'},
      names: ['Run: brew install[31m login'],
    },
    {
      name: 'that cannot be started',
      result: {kind: 'failed', reason: 'permission denied'},
      names: ['login', 'permission denied'],
    },
    {name: 'that fails', result: exited(SECRET, 3), names: ['login', 'exited with 3']},
    {name: 'that prints nothing', result: exited(''), names: ['not an ExecCredential']},
    {name: 'that prints anything else', result: exited(`: ${SECRET}`), names: ['not an ExecCredential']},
    {
      name: 'that prints another kind',
      result: exited('{"kind": "Secret"}'),
      names: ['not an ExecCredential'],
    },
    {
      name: 'that answers in another version',
      result: exited(credential({token: SECRET}, 'client.authentication.k8s.io/v1beta1')),
      names: ['apiVersion of its output is not client.authentication.k8s.io/v1'],
    },
    {
      name: 'without a status',
      result: exited(`{"kind": "ExecCredential", "apiVersion": "${V1}"}`),
      names: ['has no status'],
    },
    {name: 'without credentials', result: exited(credential({})), names: ['neither a token nor']},
    {
      name: 'with half a pair',
      result: exited(credential({clientKeyData: SECRET})),
      names: ['only one of clientCertificateData'],
    },
    {
      name: 'with a broken pair',
      result: exited(credential({clientKeyData: SECRET, clientCertificateData: SECRET})),
      names: ['the client certificate is not PEM'],
    },
    {
      name: 'with a token of two lines',
      result: exited(credential({token: `a\n${SECRET}`})),
      names: ['line break'],
    },
    {
      name: 'with a token that is not text',
      result: exited(credential({token: 1})),
      names: ['status.token must be'],
    },
    {
      name: 'with another time',
      result: exited(credential({token: SECRET, expirationTimestamp: 'tomorrow'})),
      names: ['status.expirationTimestamp is not'],
    },
    {name: 'that requires a terminal', exec: {interactiveMode: 'Always'}, names: ['requires a terminal']},
    {name: 'without a command', exec: {command: ''}, code: 'input-invalid', names: ['exec.command']},
    {
      name: 'of an old version',
      exec: {apiVersion: 'client.authentication.k8s.io/v1alpha1'},
      code: 'input-invalid',
      names: ['exec.apiVersion must be one of'],
    },
    {
      name: 'without a mode',
      exec: {interactiveMode: ''},
      code: 'input-invalid',
      names: ['exec.interactiveMode'],
    },
    {
      name: 'with a variable without a name',
      exec: {env: [{value: SECRET}]},
      code: 'input-invalid',
      names: ['exec.env'],
    },
    {
      name: 'besides an auth provider',
      user: {'auth-provider': {name: 'oidc'}},
      code: 'input-invalid',
      names: ['mutually exclusive'],
    },
  ] as const)('$name', async given => {
    const {
      exec = {},
      user = {},
      result = exited(''),
      code = 'credentials-failed',
      names,
    } = {
      exec: undefined,
      user: undefined,
      result: undefined,
      code: undefined,
      ...given,
    }
    const plugins = {isTerminal: () => false, run: () => Promise.resolve<ExecResult>(result)}
    const files = {[CONFIG]: kubeconfig({}, {exec: {...EXEC, ...exec}, ...user})}
    const rejected = await connecting(files, {}, {plugins})
    expect(rejected).toMatchObject({code})
    const text = JSON.stringify(rejected)
    expect({missing: names.filter(name => !text.includes(JSON.stringify(name).slice(1, -1)))}).toEqual({
      missing: [],
    })
    expect(text).not.toContain(SECRET)
    expect('suggestions' in rejected && rejected.suggestions.length).toBe(1)
  })
})
