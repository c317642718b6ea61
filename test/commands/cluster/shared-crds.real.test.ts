import {expect, it} from '@jest/globals'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {wholeObjectsIn} from './cluster-state.js'
import {runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const CRD = 'CustomResourceDefinition.apiextensions.k8s.io caches.demo.example.org'
const A = 'crossplane-packages:team-a/cache'
const B = 'crossplane-packages:team-b/cache'

const ITEM = {
  apiVersion: 'demo.example.org/v1',
  kind: 'CACHES',
  metadata: {name: 'mine', namespace: 'team-a'},
}

describeCluster('current', 'a CRD of two installs', cluster => {
  const [old, next] = [new DemoPackages('Namespaced'), new DemoPackages('Namespaced')]
  for (const world of [old, next]) world.publish('cache', 'v1.0.0')
  next.publish('cache', 'v2.0.0')
  const change = async (verb: string, folder: string, ...args: string[]) => {
    const flags = ['--packages', folder, '--no-wait', '--yes']
    const {status, stderr} = await runIn(cluster(), 'package', verb, ...args, ...flags)
    expect({status, stderr}).toEqual({status: 0, stderr})
  }
  const install = (team: string) =>
    change(
      'install',
      old.folder,
      'demo/cache',
      'cache',
      '--namespace',
      team,
      '--with-package-api',
      '--create-namespace',
    )

  it('keeps the claim, objects and data of one install when the other is removed', async () => {
    await install('team-a')
    accepted(await cluster().kube.create(ITEM))
    const alone = await wholeObjectsIn(cluster())
    await install('team-b')
    expect(managersOf((await wholeObjectsIn(cluster()))[CRD])).toEqual([A, B])
    await change('upgrade', next.folder)
    const both = await wholeObjectsIn(cluster())
    expect(await runIn(cluster(), 'package', 'uninstall', 'team-b/cache', '--yes')).toMatchObject({status: 0})
    const after = await wholeObjectsIn(cluster())
    const {[CRD]: crdAfter, ...left} = after
    const {[CRD]: crdBoth, ...others} = both
    // Every object of A and every instance is the same object as before, in every field.
    expect(left).toEqual(Object.fromEntries(Object.entries(others).filter(([name]) => name in left)))
    // What is made for a namespace stays with it.
    expect(Object.keys(left).filter(name => /team-b(?!:(?:admin|edit|view)$)/.test(name))).toEqual([
      'Namespace. team-b',
    ])
    expect(Object.keys(left).map(withoutVersion)).toEqual(
      expect.arrayContaining(
        Object.keys(alone)
          .filter(name => name !== CRD)
          .map(withoutVersion),
      ),
    )
    expect(withoutClaim(crdAfter)).toEqual(withoutClaim(crdBoth))
    expect(managersOf(crdAfter)).toEqual([A])
  }, 120_000)

  it('keeps the last install while an instance exists in any namespace, and changes nothing', async () => {
    accepted(await cluster().kube.delete(ITEM))
    accepted(await cluster().kube.create({...ITEM, metadata: {...ITEM.metadata, namespace: 'team-b'}}))
    const before = await wholeObjectsIn(cluster())
    const {status, stderr} = await runIn(cluster(), 'package', 'uninstall', 'team-a/cache', '--yes')
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: expect.stringContaining(
        '1 custom resource of caches.demo.example.org would lose its controller: team-b/mine',
      ),
    })
    expect(await wholeObjectsIn(cluster())).toEqual(before)
  })
})

/** Roles have the version of their package in their name. */
function withoutVersion(name: string): string {
  return name.replace(/:v\d[.]0[.]0:/, ':')
}

function managersOf(crd: JsonObject | undefined): readonly string[] {
  const managers = asObjects(asObject(crd?.metadata).managedFields).map(({manager}) => asText(manager))
  return managers.filter(manager => manager.startsWith('crossplane-packages:')).sort()
}

/** A CRD without what the claim of B is, and what the server counts. */
function withoutClaim(crd: JsonObject | undefined): JsonObject {
  const {labels, managedFields, resourceVersion: _resourceVersion, ...metadata} = asObject(crd?.metadata)
  const kept = Object.entries(asObject(labels)).filter(([key]) => !key.includes('team-b'))
  return {
    ...crd,
    metadata: {
      ...metadata,
      labels: Object.fromEntries(kept),
      managedFields: asObjects(managedFields).filter(({manager}) => manager !== B),
    },
  }
}
