import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {loadAll} from 'js-yaml'
import type {TestCluster} from '../../../test/cluster/api-server.js'
import {accepted, createServed} from '../../../test/cluster/kube.js'
import {servedCrd} from '../../../test/cluster/served-crd.js'
import {corpusText} from '../../../test/corpus.js'
import {runCliWith} from '../../../test/run-cli.js'
import type {CliResult} from '../../../test/run-cli.js'

/** The part of an object that tests need. */
interface Traced {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {readonly name: string; readonly namespace?: string; readonly ownerReferences?: Owner[]}
  readonly status?: object
}

interface Owner {
  readonly kind: string
  uid: string
}

const CORE = ['corpus-core', 'crossplane@v0.12.0']
const GCP = ['corpus', 'provider-gcp@v0.11.0', '.registry', 'resources']
const CRDS: readonly (readonly string[])[] = [
  [...CORE, 'database.crossplane.io_mysqlinstances.yaml'],
  [...CORE, 'workload.crossplane.io_kubernetesapplications.yaml'],
  [...CORE, 'workload.crossplane.io_kubernetesapplicationresources.yaml'],
  [...CORE, 'workload.crossplane.io_kubernetestargets.yaml'],
  [...GCP, 'database.gcp.crossplane.io', 'cloudsqlinstances.crd.yaml'],
  [...GCP, 'database.gcp.crossplane.io', 'cloudsqlinstanceclasses.crd.yaml'],
  [...GCP, 'gcp.crossplane.io', 'providers.crd.yaml'],
]

/** Creates the CRDs of the corpus and the objects of traced-objects.yaml, each with its status. */
export async function createTraced({kube, version}: Pick<TestCluster, 'kube' | 'version'>): Promise<void> {
  for (const path of CRDS) {
    for (const crd of objectsIn(corpusText(...path))) {
      accepted(await kube.create(servedCrd(crd, {version})))
    }
  }
  const uids = new Map<string, string>()
  for (const object of objectsIn(readFileSync(join(import.meta.dirname, 'traced-objects.yaml'), 'utf8'))) {
    for (const owner of object.metadata.ownerReferences ?? []) owner.uid = uids.get(owner.kind) ?? ''
    const {metadata} = (await createServed(kube, object)) as unknown as {metadata: {uid: string}}
    uids.set(object.kind, metadata.uid)
    if (object.status !== undefined) await writeStatus({kube}, object)
  }
}

function objectsIn(text: string) {
  return (loadAll(text) as (Traced | null)[]).filter(each => each !== null) as (Traced & JsonObject)[]
}

type JsonObject = Parameters<TestCluster['kube']['create']>[0]

async function writeStatus({kube}: Pick<TestCluster, 'kube'>, object: Traced): Promise<void> {
  const {apiVersion, kind, metadata, status} = object
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`
  const path = `/apis/${apiVersion}${place}/${kind.toLowerCase()}s/${metadata.name}/status`
  accepted(await kube.send('PATCH', path, {status} as JsonObject, 'application/merge-patch+json'))
}

/** Runs `trace` against a test cluster. */
export async function runTrace({kubeconfig}: TestCluster, ...args: string[]): Promise<CliResult> {
  const source = join(import.meta.dirname, '../src')
  return await runCliWith(source, 'trace', ...args, '--kubeconfig', kubeconfig)
}
