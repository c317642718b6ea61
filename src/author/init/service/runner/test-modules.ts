import type {ServiceDefinition} from '../service-definition.js'

/** `test/fake-api.ts`: an external system in memory. */
export const FAKE_API = `import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'

export type External = Readonly<Record<string, unknown>>

/** An external system in memory. */
export interface FakeApi {
  readonly url: string
  readonly token: string
  /** By name. */
  readonly objects: Map<string, External>
  /** The requests that changed something, such as "PUT db". */
  readonly changes: string[]
  stop(): Promise<void>
}

export async function startFakeApi(): Promise<FakeApi> {
  const [objects, changes, token] = [new Map<string, External>(), [] as string[], 'token-of-the-fake']
  const server = createServer((request, response) => {
    void text(request).then(body => {
      const {method = '', url = '', headers} = request
      const name = decodeURIComponent(url.slice(1))
      const before = objects.get(name)
      if (headers.authorization !== \`Bearer \${token}\`) return response.writeHead(401).end('wrong token')
      if (method !== 'GET') changes.push(\`\${method} \${name}\`)
      if (method === 'DELETE') objects.delete(name)
      else if (method === 'PUT') objects.set(name, JSON.parse(body) as External)
      else if (before === undefined) return response.writeHead(404).end()
      else if (method === 'PATCH') objects.set(name, {...before, ...(JSON.parse(body) as External)})
      return response.end(JSON.stringify(objects.get(name) ?? {}))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {url, token, objects, changes, stop}
}
`

/** `test/files.ts`: what the tests read of the package. */
export const TEST_FILES = `import {asObject, type JsonObject, type KubernetesObject, readYaml} from 'kubectl-crossplane/plugin'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {FakeApi} from './fake-api.js'

/** Returns the objects of a file. */
export function objectsIn(path: string): readonly KubernetesObject[] {
  return readYaml(readFileSync(path), path).map(({value}) => asObject(value) as KubernetesObject)
}

/** Returns the CRDs of the package, and that of its claims. */
export function crds(): readonly KubernetesObject[] {
  const files = readdirSync('.registry', {recursive: true, encoding: 'utf8'}).filter(name => name.endsWith('.crd.yaml'))
  return [...files.map(name => join('.registry', name)), 'test/claim.crd.yaml'].flatMap(objectsIn).filter(isFirst)
}

/** Returns the Provider of the examples and its Secret, for the fake. */
export function providerOf({url, token}: FakeApi): readonly KubernetesObject[] {
  const stringData: JsonObject = {credentials: JSON.stringify({url, token})}
  return objectsIn('examples/provider.yaml').map(object => (object.kind === 'Secret' ? {...object, stringData} : object))
}

function isFirst({metadata}: KubernetesObject, index: number, all: readonly KubernetesObject[]): boolean {
  return all.findIndex(object => object.metadata.name === metadata.name) === index
}
`

/** `test/external.test.ts`: the calls to the external system, with the fake. */
export const EXTERNAL_TEST = `import assert from 'node:assert/strict'
import {after, before, test} from 'node:test'
import {ExternalApi} from '../src/external.js'
import {type Managed, PARAMETER_NAMES} from '../src/service.js'
import {type FakeApi, startFakeApi} from './fake-api.js'
import {objectsIn} from './files.js'

/** A service without parameters has nothing to update. */
const skip = PARAMETER_NAMES.length === 0
const [managed] = objectsIn('examples/managed.yaml') as readonly [Managed]
const call = () => ({
  signal: AbortSignal.timeout(5000),
  deadline: Date.now() + 5000,
  stored: () => Promise.resolve({}),
})
let fake: FakeApi
let api: ExternalApi

before(async () => {
  fake = await startFakeApi()
  api = new ExternalApi(fake)
})
after(async () => await fake.stop())

test('creates what does not exist, with the generated credentials', async () => {
  assert.deepEqual(await api.observe(managed, call()), {exists: false})
  await api.create(managed, {password: 'generated'}, call())
  assert.deepEqual(fake.objects.get('example'), {...managed.spec.forProvider, password: 'generated'})
  const {exists, isUpToDate} = await api.observe(managed, call())
  assert.deepEqual({exists, isUpToDate}, {exists: true, isUpToDate: true})
})

test('updates what differs from the parameters', {skip}, async () => {
  const [name = ''] = Object.keys(managed.spec.forProvider)
  fake.objects.set('example', {...fake.objects.get('example'), [name]: 'changed by hand'})
  assert.equal((await api.observe(managed, call())).isUpToDate, false)
  await api.update(managed, call())
  assert.equal((await api.observe(managed, call())).isUpToDate, true)
})

test('deletes it, also when it is gone', async () => {
  await api.delete(managed, call())
  await api.delete(managed, call())
  assert.deepEqual(await api.observe(managed, call()), {exists: false})
})

test('reports errors of the API', async () => {
  const other = new ExternalApi({...fake, token: 'wrong'})
  await assert.rejects(other.observe(managed, call()), /GET failed with 401/)
})

test('ends a call whose signal is aborted', async () => {
  await assert.rejects(api.observe(managed, {...call(), signal: AbortSignal.abort()}), /aborted/)
})
`

/** Returns `test/cluster.test.ts`: the provider as a process, with claims on a real API server. */
export function clusterTest({kind, group, version, claim}: ServiceDefinition): string {
  return `${CLUSTER_IMPORTS}
const CLAIM = {apiVersion: '${claim.group}/${claim.version}', kind: '${claim.kind}', name: 'example', namespace: 'default'}
const MANAGED = {apiVersion: '${group}/${version}', kind: '${kind}'}
${CLUSTER_TESTS}`
}

const CLUSTER_IMPORTS = `import {asObject, asObjects, asText, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {type ApiServer, missingApiServer, startApiServer, until} from 'kubectl-crossplane-services/testing'
import assert from 'node:assert/strict'
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {after, before, describe, it} from 'node:test'
import {isDeepStrictEqual} from 'node:util'
import {PARAMETER_NAMES} from '../src/service.js'
import {type FakeApi, startFakeApi} from './fake-api.js'
import {crds, objectsIn, providerOf} from './files.js'
`

const CLUSTER_TESTS = `const SECRET = {apiVersion: 'v1', kind: 'Secret', name: 'example-connection', namespace: 'default'}

/** Then nothing can be changed outside. */
const hasNoParameters = PARAMETER_NAMES.length === 0
/** Without an API server, the reason why these tests do not run. */
const skip = missingApiServer() ?? false

describe('the provider', {skip}, () => {
  let fake: FakeApi
  let server: ApiServer
  let program: ChildProcess

  const start = () => {
    const env = {...process.env, KUBECONFIG: server.kubeconfig, LEADER_ELECT: 'false'}
    program = spawn(process.execPath, ['dist/src/main.js'], {env, stdio: ['ignore', 'ignore', 'inherit']})
  }
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(program, 'exit')
    program.kill(signal)
    return await ended
  }
  const claim = async () => await server.api.get(CLAIM)
  const statusOf = (object: KubernetesObject | undefined, type: string) =>
    asObjects(asObject(object?.status).conditions).find(condition => condition.type === type)?.status
  const isBound = async () =>
    await until(claim, object => asObject(object?.status).bindingPhase === 'Bound' && statusOf(object, 'Ready') === 'True')

  before(async () => {
    fake = await startFakeApi()
    server = await startApiServer()
    const namespace = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'crossplane-system'}}
    await server.create(namespace, ...crds(), ...providerOf(fake), ...objectsIn('examples/class.yaml'))
    start()
  })

  after(async () => {
    if (program !== undefined) await end('SIGTERM')
    await server?.stop()
    await fake?.stop()
  })

  it('serves a claim, and gives it the credentials', async () => {
    await server.create(...objectsIn('examples/claim.yaml'))
    const bound = await isBound()
    const name = asText(asObject(asObject(bound?.spec).resourceRef).name)
    const secret = asObject((await server.api.get(SECRET))?.data)
    const decoded = (key: string) => Buffer.from(asText(secret[key]), 'base64').toString()
    assert.deepEqual(decoded('endpoint'), fake.url)
    assert.deepEqual(decoded('username'), name)
    assert.deepEqual(decoded('password'), fake.objects.get(name)?.password)
  })

  it('updates the external resource when it was changed outside', {skip: hasNoParameters}, async () => {
    const [name = ''] = fake.objects.keys()
    const before = fake.objects.get(name)
    const [parameter = ''] = PARAMETER_NAMES.filter(parameter => before?.[parameter] !== undefined)
    fake.objects.set(name, {...before, [parameter]: 'changed by hand'})
    // A change of the object wakes the provider, which otherwise looks once a minute.
    const patch = {metadata: {annotations: {looked: 'now'}}}
    await server.api.mergePatch({...MANAGED, name}, patch, {manager: 'test'})
    await until(() => Promise.resolve(fake.objects.get(name)?.[parameter]), value => value !== 'changed by hand')
    assert.deepEqual(fake.objects.get(name), before)
  })

  it('creates nothing twice when its process is killed', {skip: hasNoParameters}, async () => {
    const [[name = '', before] = []] = fake.objects
    await end('SIGKILL')
    fake.objects.set(name, {...before, [PARAMETER_NAMES[0] ?? '']: 'changed by hand'})
    start()
    await until(
      () => Promise.resolve(fake.objects.get(name)),
      object => isDeepStrictEqual(object, before),
    )
    assert.deepEqual(fake.changes.filter(change => change.startsWith('PUT ')).length, 1)
  })

  it('deletes the external resource with the claim', async () => {
    await server.api.delete(CLAIM)
    await until(() => Promise.resolve(fake.objects.size), size => size === 0)
    await until(claim, object => object === undefined)
  })
})
`
