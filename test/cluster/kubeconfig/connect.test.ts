import {beforeAll, describe, expect, it} from '@jest/globals'
import {type PrivateAuthority, privateAuthority} from '../../private-authority.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {base64, CONFIG, connecting, kubeconfig} from './connecting.js'

const temporary = temporaryFolder()
let authority: PrivateAuthority
beforeAll(() => {
  authority = privateAuthority(temporary)
})

const HERE = {
  context: 'here',
  server: 'https://api.example.org:6443/',
  namespace: 'default',
  headers: {},
  transport: {insecure: false},
}

describe('a connection', () => {
  it.each([
    {
      name: 'a server, and an anonymous user',
      cluster: {},
      want: {},
    },
    {
      name: 'a namespace',
      context: {namespace: 'team'},
      want: {namespace: 'team'},
    },
    {
      name: 'a path before that of the API',
      cluster: {server: 'https://proxy.example.org/k8s/clusters/c-1/'},
      want: {server: 'https://proxy.example.org/k8s/clusters/c-1'},
    },
    {
      name: 'a server without a scheme: plain HTTP, over which no credentials are sent',
      cluster: {server: 'localhost:8080'},
      user: {token: 'secret', as: 'jane'},
      want: {server: 'http://localhost:8080/', headers: {'impersonate-user': 'jane'}},
    },
    {
      name: 'a password in the URL of the server',
      cluster: {server: 'https://jane:s%20t@api.example.org'},
      user: {token: 'other'},
      want: {
        server: 'https://api.example.org/',
        headers: {authorization: `Basic ${base64('jane:s t')}`},
        transport: {insecure: false, account: {username: 'jane', password: 's t'}},
      },
    },
    {
      name: 'no verification, another name, and a proxy',
      cluster: {
        'insecure-skip-tls-verify': true,
        'tls-server-name': 'kubernetes',
        'proxy-url': 'http://proxy.example.org:3128',
        'disable-compression': true,
      },
      want: {
        transport: {
          insecure: true,
          tlsServerName: 'kubernetes',
          proxy: new URL('http://proxy.example.org:3128'),
        },
      },
    },
    {name: 'a token', user: {token: 'abc'}, want: {headers: {authorization: 'Bearer abc'}}},
    {
      name: 'a token file, whose content precedes a token',
      user: {token: 'abc', tokenFile: 'token'},
      want: {headers: {authorization: 'Bearer from-file'}},
    },
    {
      name: 'a token, where its file cannot be read',
      user: {token: 'abc', tokenFile: 'absent'},
      want: {headers: {authorization: 'Bearer abc'}},
    },
    {
      name: 'a user name and a password',
      user: {username: 'jöe', password: 'a:b'},
      want: {headers: {authorization: `Basic ${base64('jöe:a:b')}`}},
    },
    {
      name: 'an impersonated user',
      user: {
        token: 'abc',
        as: 'jane',
        'as-uid': '7',
        'as-groups': ['dev', 'ops, all'],
        'as-user-extra': {'a/B %': ['1', '2'], none: []},
      },
      want: {
        headers: {
          authorization: 'Bearer abc',
          'impersonate-user': 'jane',
          'impersonate-uid': '7',
          'impersonate-group': ['dev', 'ops, all'],
          'impersonate-extra-a%2FB%20%25': ['1', '2'],
        },
      },
    },
  ])('$name', async ({cluster = {}, user = {}, context = {}, want}) => {
    const files = {[CONFIG]: kubeconfig(cluster, user, context), '/home/a/.kube/token': 'from-file\n'}
    expect(await connecting(files)).toEqual({...HERE, ...want})
  })

  it.each([
    {name: 'in the kubeconfig', isData: true},
    {name: 'in files, by paths relative to it', isData: false},
  ])('CA and client certificate $name', async ({isData}) => {
    const {cert, key} = authority.issue(`client-${isData}`, ['DNS:client'])
    const ca = authority.cert
    const inFiles = {'client-certificate': '../me.crt', 'client-key': 'me.key'}
    const inData = {'client-certificate-data': base64(cert), 'client-key-data': base64(key)}
    const files = {
      [CONFIG]: isData
        ? kubeconfig({'certificate-authority-data': base64(`# ours\n${ca}`)}, inData)
        : kubeconfig({'certificate-authority': './ca.crt'}, inFiles),
      '/home/a/.kube/ca.crt': ca,
      '/home/a/me.crt': cert,
      '/home/a/.kube/me.key': key,
    }
    expect(await connecting(files)).toEqual({
      ...HERE,
      transport: {insecure: false, ca: isData ? `# ours\n${ca}` : ca},
      shown: {cert, key},
    })
  })
})

describe('flags', () => {
  const two = JSON.stringify({
    'current-context': 'here',
    contexts: [
      {name: 'here', context: {cluster: 'one', user: 'me'}},
      {name: 'there', context: {cluster: 'two', user: 'me', namespace: 'far'}},
    ],
    clusters: [
      {name: 'one', cluster: {server: 'https://one.example.org'}},
      {name: 'two', cluster: {server: 'https://two.example.org'}},
    ],
    users: [{name: 'me', user: {as: 'jane', 'as-groups': ['dev'], 'as-uid': '7'}}],
  })

  it('--context selects another context', async () => {
    expect(await connecting({[CONFIG]: two}, {context: 'there'})).toMatchObject({
      context: 'there',
      server: 'https://two.example.org/',
      namespace: 'far',
    })
  })

  it('--as, --as-group and --as-uid each replace what the kubeconfig has', async () => {
    const headers = async (query: Parameters<typeof connecting>[1]) => {
      const connected = await connecting({[CONFIG]: two}, query)
      return 'headers' in connected ? connected.headers : connected
    }
    const jane = {'impersonate-user': 'jane', 'impersonate-group': ['dev'], 'impersonate-uid': '7'}
    expect(await headers({as: 'joe'})).toEqual({...jane, 'impersonate-user': 'joe'})
    expect(await headers({asGroups: ['a', 'b']})).toEqual({...jane, 'impersonate-group': ['a', 'b']})
    expect(await headers({asUid: '8'})).toEqual({...jane, 'impersonate-uid': '8'})
  })
})

describe('the kubeconfigs of a list', () => {
  const first = `
current-context: b
clusters: [{name: x, cluster: {server: https://first.example.org}}]
users: [{name: me, user: {tokenFile: token}}]`
  const second = `
current-context: a
contexts: [{name: a, context: {cluster: x, user: me}}, {name: b, context: {cluster: z, user: me}}]
clusters: [{name: x, cluster: {server: https://second.example.org}}, {name: z, cluster: {server: https://z.example.org}}]
users: [{name: me, user: {token: second, as: jane}}]`
  const files = {'/1/config': first, '/2/config': second, '/1/token': 'first'}
  const listed = ['', '/1/config', '/absent', '/2/config']

  it('are merged: the first file with an entry decides all of it', async () => {
    expect(await connecting(files, {listed})).toMatchObject({
      context: 'b',
      server: 'https://z.example.org/',
      headers: {authorization: 'Bearer first'},
    })
    expect(await connecting(files, {listed, context: 'a'})).toMatchObject({
      server: 'https://first.example.org/',
    })
  })

  it('are ignored with --kubeconfig', async () => {
    expect(await connecting(files, {listed, explicit: '/2/config'})).toMatchObject({
      context: 'a',
      headers: {authorization: 'Bearer second', 'impersonate-user': 'jane'},
    })
  })
})

describe('in a cluster', () => {
  const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount'
  const env = {KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443'}
  const files = () => ({
    [`${FOLDER}/token`]: 'abc\n',
    [`${FOLDER}/ca.crt`]: authority.cert,
    [`${FOLDER}/namespace`]: 'team\n',
  })
  const pod = () => ({
    context: '',
    server: 'https://[fd00::1]/',
    namespace: 'team',
    headers: {authorization: 'Bearer abc'},
    transport: {insecure: false, ca: authority.cert},
  })

  it('the service account is used, if no context is selected', async () => {
    expect(await connecting(files(), {env})).toEqual(pod())
    expect(await connecting(files(), {env: {...env, POD_NAMESPACE: 'other'}, as: 'jane'})).toEqual({
      ...pod(),
      namespace: 'other',
      headers: {authorization: 'Bearer abc', 'impersonate-user': 'jane'},
    })
  })

  it('a kubeconfig precedes it, and has the namespace of the Pod if it names none', async () => {
    const config = {...files(), [CONFIG]: kubeconfig({}, {token: 'x'})}
    expect(await connecting(config, {env})).toEqual({
      ...HERE,
      namespace: 'team',
      headers: {authorization: 'Bearer x'},
    })
  })

  it('--context selects a context that exists', async () => {
    expect(await connecting(files(), {env, context: 'x'})).toMatchObject({code: 'usage'})
  })

  it('is none without a kubeconfig elsewhere, which is named', async () => {
    expect(await connecting({}, {})).toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/\S+: no such file or directory$/),
    })
  })
})
