import {beforeAll, describe, expect, it} from '@jest/globals'
import {type PrivateAuthority, privateAuthority} from '../../private-authority.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {base64, CONFIG, connecting, kubeconfig} from './connecting.js'

const temporary = temporaryFolder()
let authority: PrivateAuthority
beforeAll(() => {
  authority = privateAuthority(temporary)
})

/** In every value that must not be shown. */
const SECRET = 's3cr3t'

describe('a kubeconfig is rejected', () => {
  it.each([
    {name: 'without any', files: {}, code: 'not-found', names: ['/home/a/.kube/config']},
    {name: 'that is empty', files: {[CONFIG]: ''}, code: 'not-found', names: ['/home/a/.kube/config']},
    {
      name: 'without a current context',
      files: {[CONFIG]: 'contexts: [{name: dev, context: {cluster: a}}]'},
      code: 'usage',
      names: ['--context', 'dev'],
    },
    {
      name: 'whose current context is not defined',
      files: {[CONFIG]: 'current-context: dvelopment\ncontexts: [{name: development}]'},
      code: 'usage',
      names: ['dvelopment', 'kubectl config use-context development'],
    },
    {
      name: 'with an unknown --context',
      files: {[CONFIG]: kubeconfig({})},
      query: {context: 'her'},
      code: 'usage',
      names: ['"her" not found', '--context here'],
    },
    {
      name: 'with a --kubeconfig that does not exist',
      files: {[CONFIG]: kubeconfig({})},
      query: {explicit: '/x'},
      code: 'not-found',
      names: ['/x'],
    },
    {
      name: 'that is not YAML',
      files: {[CONFIG]: `users:\n  - *${SECRET}`},
      code: 'input-invalid',
      names: [CONFIG, 'line 2: not valid YAML'],
    },
    {
      name: 'of another kind',
      files: {[CONFIG]: 'kind: Secret\napiVersion: v2'},
      code: 'input-invalid',
      names: ['kind must be Config', 'apiVersion must be v1'],
    },
    {name: 'that is a list', files: {[CONFIG]: '[]'}, code: 'input-invalid', names: ['must be an object']},
    {
      name: 'with two entries of a name',
      files: {[CONFIG]: 'users: [{name: a}, {name: a}]'},
      code: 'input-invalid',
      names: ['users[1]', '"a"'],
    },
    {
      name: 'with fields of other types',
      files: {
        [CONFIG]: `users: [{name: a, user: {token: 1, as-groups: ${SECRET}, client-key-data: ${SECRET}, exec: [${SECRET}]}}]`,
      },
      code: 'input-invalid',
      names: ['token must be', 'as-groups must be', 'client-key-data must be base64', 'exec must be'],
    },
    {
      name: 'whose context names no cluster',
      files: {[CONFIG]: kubeconfig({}, {}, {cluster: ''})},
      code: 'input-invalid',
      names: ['context "here"', '--cluster=NAME', 'one'],
    },
    {
      name: 'whose cluster is not defined',
      files: {[CONFIG]: kubeconfig({}, {}, {cluster: 'two'})},
      code: 'input-invalid',
      names: ['"here"', '"two"', 'one'],
    },
    {
      name: 'whose user is not defined',
      files: {[CONFIG]: kubeconfig({}, {}, {user: 'you'})},
      code: 'input-invalid',
      names: ['"here"', '"you"', 'me'],
    },
    {name: 'without a server', cluster: {server: ''}, names: ['cluster "one"', 'server is not set']},
    {
      name: 'with a server that is not a URL',
      cluster: {server: `https://me:${SECRET}@:x`},
      names: ['cluster "one"', 'server is not a URL'],
    },
    {name: 'with a server of another scheme', cluster: {server: 'ftp://x'}, names: ['server is not a URL']},
    {
      name: 'with a password for the proxy that no program can decode',
      cluster: {'proxy-url': `http://me:${SECRET}%@proxy`},
      names: ['cluster "one"', 'proxy-url', '%XX'],
    },
    {
      name: 'with another proxy',
      cluster: {'proxy-url': `ftp://me:${SECRET}@proxy`},
      names: ['cluster "one"', 'proxy-url', 'socks5'],
    },
    {
      name: 'whose CA file is not found',
      cluster: {'certificate-authority': 'ca.crt'},
      names: ['cluster "one"', 'certificate-authority /home/a/.kube/ca.crt: no such file or directory'],
    },
    {
      name: 'whose CA is not PEM',
      cluster: {'certificate-authority-data': base64(SECRET)},
      names: ['cluster "one"', 'certificate-authority-data has no PEM'],
    },
    {
      name: 'with two CAs',
      cluster: {'certificate-authority-data': base64('a'), 'certificate-authority': 'b'},
      names: ['mutually exclusive'],
    },
    {
      name: 'with a token and a password',
      user: {token: SECRET, username: 'a', password: SECRET},
      names: ['user "me"', 'mutually exclusive'],
    },
    {
      name: 'with a token of two lines',
      user: {token: `a\n${SECRET}`},
      names: ['user "me"', 'token has a line'],
    },
    {
      name: 'with a certificate without a key',
      user: {'client-certificate-data': base64(SECRET)},
      names: ['user "me"', 'client-key and client-key-data are not set'],
    },
    {
      name: 'with a certificate that is not PEM',
      user: {'client-certificate-data': base64(SECRET), 'client-key-data': base64(SECRET)},
      names: ['user "me"', 'the client certificate is not PEM'],
    },
    {
      name: 'with a client key that is not found',
      user: {'client-certificate-data': base64('x'), 'client-key': 'me.key'},
      names: ['user "me"', 'client-key /home/a/.kube/me.key: no such file or directory'],
    },
    {
      name: 'with a token file that is not found, and no token',
      user: {tokenFile: 'token'},
      code: 'credentials-failed',
      names: ['/home/a/.kube/token', 'no such file or directory'],
    },
    {
      name: 'with a user whose name would be another header',
      user: {as: `a\nx: ${SECRET}`},
      code: 'usage',
      names: ['control character'],
    },
    {
      name: 'with problems of the user, also over plain HTTP',
      cluster: {server: 'http://localhost'},
      user: {token: SECRET, username: 'a'},
      names: ['user "me"'],
    },
    {name: 'with groups and no user', user: {'as-groups': ['a']}, code: 'usage', names: ['--as USER']},
  ])('$name', async ({files: given, cluster = {}, user = {}, query, code = 'input-invalid', names}) => {
    const files: Readonly<Record<string, string>> | undefined = given as
      | Readonly<Record<string, string>>
      | undefined
    const rejected = await connecting(files ?? {[CONFIG]: kubeconfig(cluster, user)}, query)
    expect(rejected).toMatchObject({code})
    const text = JSON.stringify(rejected)
    expect({missing: names.filter(name => !text.includes(JSON.stringify(name).slice(1, -1)))}).toEqual({
      missing: [],
    })
    expect(text).not.toContain(SECRET)
    expect('suggestions' in rejected && rejected.suggestions.length).toBe(1)
  })

  it.each([
    {name: 'a key of another certificate', part: 'other', want: 'the client key is of another certificate'},
    {name: 'a key that is not PEM', part: 'none', want: 'the client key is not PEM without a passphrase'},
  ])('with $name', async ({part, want}) => {
    const {cert} = authority.issue(`own-${part}`, ['DNS:a'])
    const key = part === 'none' ? SECRET : authority.issue('other', ['DNS:b']).key
    const user = {'client-certificate-data': base64(cert), 'client-key-data': base64(key)}
    expect(await connecting({[CONFIG]: kubeconfig({}, user)})).toMatchObject({
      code: 'input-invalid',
      message: `invalid kubeconfig ${CONFIG}: user "me": ${want}`,
    })
  })

  it('with an unused CA', async () => {
    const cluster = {'certificate-authority-data': base64(authority.cert), 'insecure-skip-tls-verify': true}
    const message = expect.stringContaining('insecure-skip-tls-verify and') as unknown
    expect(await connecting({[CONFIG]: kubeconfig(cluster)})).toMatchObject({code: 'input-invalid', message})
  })
})
