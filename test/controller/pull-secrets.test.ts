import {expect, it} from '@jest/globals'
import {pullSecretKeychain} from '../../src/controller/pull-secrets.js'
import {CrossplaneError} from '../../src/errors.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const HOST = 'registry.example.org'
const MINE = {[HOST]: {username: 'secret', password: 'b'}}

function secret(type: string, key: string, content: JsonObject): Omit<KubernetesObject, 'metadata'> {
  const data = {[key]: Buffer.from(JSON.stringify(content)).toString('base64')}
  return {apiVersion: 'v1', kind: 'Secret', type: `kubernetes.io/${type}`, data}
}

const SECRETS: Readonly<Record<string, Omit<KubernetesObject, 'metadata'>>> = {
  current: secret('dockerconfigjson', '.dockerconfigjson', {auths: MINE}),
  old: secret('dockercfg', '.dockercfg', MINE),
  others: secret('dockerconfigjson', '.dockerconfigjson', {auths: {'other.example.org': MINE[HOST]}}),
  helper: secret('dockerconfigjson', '.dockerconfigjson', {credHelpers: {[HOST]: 'run-me'}}),
  opaque: {...secret('x', '.dockerconfigjson', {auths: MINE}), type: 'Opaque'},
}

const API = {
  get: async ({namespace, name}: {readonly namespace?: string; readonly name: string}) => {
    if (name === 'denied' || namespace !== 'team')
      throw new CrossplaneError('cluster-denied', 'no right to get it')
    const found = SECRETS[name]
    return Promise.resolve(found && {...found, metadata: {name, namespace}})
  },
}

/** The user of the credentials that are found, or why there are none. */
async function userFrom(names: readonly string[], own?: string): Promise<string | undefined> {
  const credentials =
    own === undefined ? undefined : ({kind: 'password', username: own, password: 'a'} as const)
  const others = {credentialsFor: async () => Promise.resolve(credentials)}
  const keychain = pullSecretKeychain({namespace: 'team', names}, API as never, others)
  const found = await keychain.credentialsFor(HOST).catch((error: unknown) => error)
  if (found instanceof CrossplaneError) return `${found.code}: ${found.message}`
  return (found as {readonly username?: string} | undefined)?.username
}

it.each([
  {name: 'a Secret', in: ['current'], want: 'secret'},
  {name: 'a Secret of the old type', in: ['old'], want: 'secret'},
  {name: 'the first Secret with an entry', in: ['missing', 'others', 'current'], want: 'secret'},
  {name: 'no program that a Secret names', in: ['helper'], want: undefined},
  {name: 'nothing without Secrets', in: [], want: undefined},
])('takes credentials from $name', async ({in: names, want}) => {
  expect(await userFrom(names)).toBe(want)
})

it('prefers Secrets to the credentials of the process, which others have to do with', async () => {
  expect(await userFrom(['current'], 'own')).toBe('secret')
  expect(await userFrom(['others', 'missing', 'denied'], 'own')).toBe('own')
})

it.each([
  {in: 'missing', want: /^credentials-failed: .*Secret team\/missing: not found$/},
  {in: 'denied', want: /^credentials-failed: .*Secret team\/denied: no right to get it$/},
  {in: 'opaque', want: /^credentials-failed: Secret team\/opaque is of type "Opaque"/},
])('names a Secret that is of no use: $in', async ({in: name, want}) => {
  expect(await userFrom([name])).toMatch(want)
})
