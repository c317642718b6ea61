import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {accepted, type Kube} from '../../cluster/kube.js'

const PKG = '/apis/pkg.crossplane.io/v1'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
/** What is owned by requests or revisions. */
const OWNED = [`${PKG}/providerrevisions`, `${PKG}/configurationrevisions`, CRDS]
const HOLD = 'example.org/hold'

/** Changes of a cluster in which no controller runs, which can be undone: also that something is being deleted, or is gone. */
export class FrozenEdits {
  private readonly undos: (() => Promise<void>)[] = []

  constructor(private readonly kube: Kube) {}

  async read(path: string): Promise<JsonObject> {
    return accepted(await this.kube.send('GET', path))
  }

  /** Replaces an object, with its status, as if its controller had seen the change. */
  async change(path: string, edited: (object: JsonObject) => JsonObject): Promise<void> {
    const object = await this.read(path)
    this.undos.push(() => this.put(path, object))
    await this.put(path, edited(object))
  }

  async add(path: string, object: JsonObject, query = ''): Promise<void> {
    const {name} = asObject(object.metadata)
    const own = `${path}/${asText(name)}`
    this.undos.push(() => this.purge(own))
    if (query === '') accepted(await this.kube.send('POST', path, object))
    else accepted(await this.kube.send('PATCH', own + query, object, 'application/apply-patch+yaml'))
    if (object.status !== undefined) await this.put(own, {...(await this.read(own)), status: object.status})
  }

  /** Has an object deleted, which stays with a finalizer. */
  async terminate(path: string): Promise<void> {
    const object = await this.read(path)
    const {finalizers} = asObject(object.metadata)
    const held = [...((finalizers ?? []) as readonly string[]), HOLD]
    this.undos.push(() => this.recreate(path, object))
    await this.merge(path, {metadata: {finalizers: held}})
    accepted(await this.kube.send('DELETE', path))
  }

  async remove(path: string): Promise<void> {
    const object = await this.read(path)
    this.undos.push(() => this.recreate(path, object))
    await this.purge(path)
  }

  /** Undoes all changes, the last one first. */
  async restore(): Promise<void> {
    for (const undo of this.undos.splice(0).reverse()) await undo()
  }

  private async merge(path: string, patch: JsonObject): Promise<JsonObject> {
    return accepted(await this.kube.send('PATCH', path, patch, 'application/merge-patch+json'))
  }

  private async purge(path: string): Promise<void> {
    const {code} = await this.kube.send('GET', path)
    if (code === 404) return
    await this.merge(path, {metadata: {finalizers: null}})
    await this.kube.send('DELETE', path)
  }

  private async put(path: string, object: JsonObject): Promise<void> {
    const send = async () => {
      const {uid, resourceVersion} = asObject((await this.read(path)).metadata)
      const own = {uid: asText(uid), resourceVersion: asText(resourceVersion)}
      return await this.kube.send('PUT', path, {...object, metadata: {...asObject(object.metadata), ...own}})
    }
    let answer = await send()
    // A CRD keeps the versions that its status says are stored.
    if (answer.code === 422) {
      await this.putStatus(path, object, await this.read(path))
      answer = await send()
    }
    await this.putStatus(path, object, accepted(answer))
  }

  private async putStatus(path: string, {status}: JsonObject, written: JsonObject): Promise<void> {
    if (status === undefined) return
    const {generation = 0} = asObject(written.metadata)
    const conditions = asObjects(asObject(status).conditions).map(condition =>
      condition.observedGeneration === undefined ? condition : {...condition, observedGeneration: generation},
    )
    const seen = {...asObject(status), ...(conditions.length === 0 ? {} : {conditions})}
    const {code, body} = await this.kube.send('PUT', `${path}/status`, {...written, status: seen})
    if (code >= 400 && code !== 404) accepted({code, body})
  }

  /** With another UID, which its objects name as their owner then. */
  private async recreate(path: string, object: JsonObject): Promise<void> {
    await this.purge(path)
    const {uid: former, resourceVersion: _version, ...metadata} = asObject(object.metadata)
    const content = {...object, metadata}
    const written = accepted(await this.kube.send('POST', path.slice(0, path.lastIndexOf('/')), content))
    await this.putStatus(path, object, written)
    const next = asText(asObject(written.metadata).uid)
    for (const list of OWNED) await this.handOver(list, asText(former), next)
  }

  private async handOver(list: string, from: string, to: string): Promise<void> {
    for (const {metadata} of asObjects((await this.read(list)).items)) {
      const {name, ownerReferences} = asObject(metadata)
      const owners = asObjects(ownerReferences)
      if (!owners.some(({uid}) => uid === from)) continue
      const replaced = owners.map(owner => (owner.uid === from ? {...owner, uid: to} : owner))
      await this.merge(`${list}/${asText(name)}`, {metadata: {ownerReferences: replaced}})
    }
  }
}
