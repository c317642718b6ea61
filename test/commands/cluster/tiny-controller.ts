import {readFileSync, writeFileSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../../src/yaml/json-value.js'
import {connect} from '../../cluster/kube.js'

/** What the process is started with, as JSON in its only argument. */
export interface TinyControllerOptions {
  readonly url: string
  readonly ca: string
  readonly token: string
  /** The paths of the kind that it serves, and of its Deployment. */
  readonly instances: string
  readonly deployment: string
  /** The file with the names of what exists outside of the cluster, one a line. */
  readonly state: string
  /** `controller/name` */
  readonly finalizer: string
}

const options = JSON.parse(process.argv[2] ?? '') as TinyControllerOptions
const MERGE = 'application/merge-patch+json'
const kube = connect(options)
const external = new Set(readFileSync(options.state, 'utf8').split('\n').filter(Boolean))

// A controller ends with its Deployment; here no kubelet ends it.
while ((await kube.send('GET', options.deployment)).code !== 404) {
  const {body} = await kube.send('GET', options.instances)
  for (const instance of asObjects(body.items)) await reconcile(instance)
  await setTimeout(50)
}
kube.close()

/** Puts the finalizer on an instance before its external state exists, and removes it after that is gone. */
async function reconcile({metadata}: JsonObject): Promise<void> {
  const {namespace, name, resourceVersion, deletionTimestamp, finalizers} = asObject(metadata)
  const own = `${asText(namespace)}/${asText(name)}`
  const hasFinalizer = asTexts(finalizers).includes(options.finalizer)
  const others = asTexts(finalizers).filter(each => each !== options.finalizer)
  const set = async (texts: readonly string[]) => {
    const path = options.instances.replace(/[^/]+$/, `namespaces/${asText(namespace)}/$&/${asText(name)}`)
    const patch = {metadata: {resourceVersion: resourceVersion ?? '', finalizers: [...texts]}}
    return (await kube.send('PATCH', `${path}?fieldManager=tiny-controller`, patch, MERGE)).code === 200
  }
  if (deletionTimestamp === undefined) {
    if (hasFinalizer || (await set([...others, options.finalizer]))) keep(own)
  } else if (hasFinalizer) {
    forget(own)
    await set(others)
  }
}

function keep(name: string): void {
  if (external.has(name)) return
  external.add(name)
  write()
}

function forget(name: string): void {
  external.delete(name)
  write()
}

function write(): void {
  writeFileSync(options.state, [...external].map(each => `${each}\n`).join(''))
}
