import {asObject, asObjects, asText, type JsonObject} from 'kubectl-crossplane/plugin'
import {accepted, type Kube} from '../../../test/cluster/kube.js'

const MERGE = 'application/merge-patch+json'

/** Sets what the controllers of managed resources would set when the cloud has them, for the resources of some paths. */
export class CloudStandIn {
  /** By UID, the names of all managed resources that ever were. */
  readonly seen = new Map<string, string>()
  readonly #kube: Kube
  readonly #paths: readonly string[]
  #work: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(kube: Kube, paths: readonly string[]) {
    this.#kube = kube
    this.#paths = paths
  }

  start(): void {
    // A failed request ends it, which the claims that are never bound report.
    this.#work = this.#run().catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#work
  }

  /** Returns the managed resources of all paths. */
  async managed(): Promise<readonly JsonObject[]> {
    const lists = await Promise.all(
      this.#paths.map(async path => asObjects(accepted(await this.#kube.send('GET', path)).items)),
    )
    return lists.flat()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      for (const path of this.#paths) {
        const {body} = await this.#kube.send('GET', path)
        for (const object of asObjects(body.items)) await this.#provision(path, body, object)
      }
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }

  async #provision(path: string, list: JsonObject, {metadata, spec, status}: JsonObject): Promise<void> {
    const {name, uid, deletionTimestamp} = asObject(metadata)
    this.seen.set(asText(uid), asText(name))
    if (asObject(status).bindingPhase !== undefined || deletionTimestamp !== undefined) return
    const {name: secret, namespace} = asObject(asObject(spec).writeConnectionSecretToRef)
    const kind = asText(list.kind).replace(/List$/, '')
    const owner = {
      apiVersion: list.apiVersion ?? '',
      kind,
      name: name ?? '',
      uid: uid ?? '',
      controller: true,
    }
    await this.#kube.create({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'connection.crossplane.io/v1alpha1',
      metadata: {name: secret ?? '', namespace: namespace ?? '', ownerReferences: [owner]},
      stringData: {endpoint: `${asText(name)}.example.org`, password: `password-of-${asText(uid)}`},
    })
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'Resource is available for use',
      lastTransitionTime: new Date().toISOString(),
    }
    const body = {status: {bindingPhase: 'Unbound', conditions: [ready]}}
    await this.#kube.send('PATCH', `${path}/${asText(name)}/status`, body, MERGE)
  }
}
