import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {accepted, createServed, type Kube, until} from '../../../../test/cluster/kube.js'
import {decoded, valueAt} from '../stories/fancy-services.js'

const REDIS = 'redis.example.org/v1alpha1'
const CLAIM = {apiVersion: 'cache.example.org/v1alpha1', kind: 'RedisLogin'}
const CREDENTIALS = {name: 'redis', namespace: 'crossplane-system'}
const MERGE = 'application/merge-patch+json'

/** The objects of the provider of Redis users, as users create and read them. */
export class RedisCluster {
  readonly #kube: Kube

  constructor(kube: Kube) {
    this.#kube = kube
  }

  /** Creates the namespace of the claims, a provider and a class. */
  async createProvider(url: string): Promise<void> {
    await this.#create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team'}})
    await this.#create({apiVersion: 'v1', kind: 'Secret', metadata: CREDENTIALS, stringData: {url}})
    const spec = {credentialsSecretRef: {...CREDENTIALS, key: 'url'}}
    await this.#create({apiVersion: REDIS, kind: 'Provider', metadata: {name: 'redis'}, spec})
    const specTemplate = {
      providerRef: {name: 'redis'},
      writeConnectionSecretsToNamespace: CREDENTIALS.namespace,
      reclaimPolicy: 'Delete',
      forProvider: {access: 'readwrite', overlapSeconds: 10},
    }
    const metadata = {name: 'shared', annotations: {'resourceclass.crossplane.io/is-default-class': 'true'}}
    await this.#create({apiVersion: REDIS, kind: 'RedisUserClass', metadata, specTemplate})
  }

  /** Changes the credentials of the provider. */
  async setCredentials(url: string): Promise<void> {
    const path = `/api/v1/namespaces/${CREDENTIALS.namespace}/secrets/${CREDENTIALS.name}`
    const data = {url: Buffer.from(url).toString('base64')}
    accepted(await this.#kube.send('PATCH', path, {data}, MERGE))
  }

  async claim(name: string, annotations: JsonObject = {}): Promise<void> {
    const spec = {writeConnectionSecretToRef: {name}}
    await this.#create({...CLAIM, metadata: {name, namespace: 'team', annotations}, spec})
  }

  async deleteClaim(name: string): Promise<void> {
    accepted(await this.#kube.delete({...CLAIM, metadata: {name, namespace: 'team'}}))
  }

  /** Waits until a claim is ready; returns the content of its secret. */
  async details(name: string): Promise<Readonly<Record<string, string>>> {
    await until(
      async () => await this.#get({...CLAIM, metadata: {name, namespace: 'team'}}),
      object => valueAt(object, 'status.conditions.Ready.status') === 'True',
      60,
    )
    return await this.secret(name)
  }

  /** Returns the managed resource of a claim. */
  async userOf(claim: string): Promise<JsonObject | undefined> {
    return (await this.managed()).find(({spec}) => valueAt(asObject(spec), 'claimRef.name') === claim)
  }

  /** Returns the content of the secret of a claim as it is. */
  async secret(name: string): Promise<Readonly<Record<string, string>>> {
    return decoded(
      (await this.#get({apiVersion: 'v1', kind: 'Secret', metadata: {name, namespace: 'team'}})).data,
    )
  }

  /** Deletes the connection secret of a managed resource. */
  async deleteSecret(name: string): Promise<void> {
    const metadata = {name, namespace: CREDENTIALS.namespace}
    accepted(await this.#kube.delete({apiVersion: 'v1', kind: 'Secret', metadata}))
  }

  async managed(): Promise<readonly JsonObject[]> {
    return await this.list(`/apis/${REDIS}/redisusers`)
  }

  /** Changes `spec.forProvider` of the managed resource of a user. */
  async setParameters(user: string, forProvider: JsonObject): Promise<void> {
    accepted(
      await this.#kube.send('PATCH', `/apis/${REDIS}/redisusers/${user}`, {spec: {forProvider}}, MERGE),
    )
  }

  /** Waits until the condition `Synced` of the user of a claim has a text in its message; none: until it is true. */
  async synced(claim: string, text?: string): Promise<void> {
    await until(
      async () => valueAt((await this.userOf(claim)) ?? {}, 'status.conditions.Synced') ?? {},
      condition =>
        text === undefined
          ? asObject(condition).status === 'True'
          : asText(asObject(condition).message).includes(text),
      60,
    )
  }

  /** Returns all connection secrets of the claims and the managed resources. */
  async secrets(): Promise<readonly JsonObject[]> {
    const lists = await Promise.all(
      ['team', CREDENTIALS.namespace].map(
        async each => await this.list(`/api/v1/namespaces/${each}/secrets`),
      ),
    )
    return lists.flat().filter(({type}) => type === 'connection.crossplane.io/v1alpha1')
  }

  async list(path: string): Promise<readonly JsonObject[]> {
    return asObjects(accepted(await this.#kube.send('GET', path)).items)
  }

  async #get(object: JsonObject): Promise<JsonObject> {
    return asObject((await this.#kube.get(object)).body)
  }

  async #create(object: JsonObject): Promise<void> {
    await createServed(this.#kube, object)
  }
}
