import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import type {ClusterApi} from '../../../src/cluster/api/cluster-api.js'
import {claimLabels} from '../../../src/render/labels.js'
import {ERAS} from '../../../src/render/era.js'
import {asObject, asObjects} from '../../../src/yaml/json-value.js'
import {auditOf, type AuditEntry, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {openApi} from '../../cluster/open-api.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {ownEntries, runIn} from './installing.js'

const folder = temporaryFolder()

const crd = (group: string, plural: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}, annotations: {example.org/text: text}}
spec:
  group: ${group}
  scope: Cluster
  names: {plural: ${plural}, kind: ${plural.toUpperCase()}, listKind: ${plural.toUpperCase()}List}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`

/** Writes a package that owns CRDs `a0.NAME.example.org` and so on, and returns how it is installed. */
function packageOf(name: string, crds: number): readonly string[] {
  const plurals = Array.from({length: crds}, (_, index) => `a${index}`)
  const resources = plurals.map(
    each => [`resources/${each}.crd.yaml`, crd(`${name}.example.org`, each)] as const,
  )
  const app = `title: ${name}\nversion: v1.0.0\npermissionScope: Cluster\n`
  const files = [['app.yaml', app] as const, ...resources].map(([path, text]) => [`.registry/${path}`, text])
  writeTree(join(folder, name), Object.fromEntries(files) as Record<string, string>)
  return [
    ...['package', 'install', join(folder, name), name, '--as-package', `demo/${name}:v1.0.0`],
    ...['--no-dependencies', '--with-package-api', '--create-namespace', '--no-wait', '--yes'],
  ]
}

describe('packages with many CRDs', () => {
  describeCluster('current', 'on a current server', cluster => {
    const few = packageOf('few', 3)
    const many = packageOf('many', 60)
    const run = (command: readonly string[], ...more: readonly string[]) =>
      runIn(cluster(), ...command, ...more)

    async function requestsOf(command: readonly string[]): Promise<readonly AuditEntry[]> {
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      expect(await run(command)).toMatchObject({status: 0, stdout: ''})
      return ownEntries(await audit.since(mark))
    }

    const read = async (api: ClusterApi, name: string) => {
      const found = await api.get({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        name,
      })
      return found!
    }

    it('are compared with as many requests as those with few', async () => {
      expect([await run(few), await run(many)]).toMatchObject([{status: 0}, {status: 0}])
      const [forFew, forMany] = [await requestsOf(few), await requestsOf(many)]
      expect(forMany.filter(isWrite)).toEqual([])
      expect(forMany).toHaveLength(forFew.length)
      const ofCrds = forMany.filter(({resource}) => resource === 'customresourcedefinitions')
      expect(ofCrds.map(({verb}) => verb)).toEqual(['list'])
    }, 60_000)

    it('restore a CRD that another manager changed', async () => {
      const api = openApi(cluster())
      const names = ['a7', 'a8', 'a9'].map(plural => `${plural}.many.example.org`)
      const [edited = '', annotated = '', unclaimed = ''] = names
      const patch = (name: string, change: Parameters<ClusterApi['mergePatch']>[1]) =>
        api.mergePatch(
          {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name},
          change,
          {manager: 'kubectl-edit'},
        )
      const claim = claimLabels(ERAS.packages, {namespace: 'crossplane-system', name: 'many'})
      const schema = {openAPIV3Schema: {type: 'object', properties: {more: {type: 'string'}}}}
      await patch(edited, {spec: {versions: [{name: 'v1', served: true, storage: true, schema}]}})
      await patch(annotated, {metadata: {annotations: {'example.org/text': 'other'}}})
      await patch(unclaimed, {
        metadata: {labels: Object.fromEntries(Object.keys(claim).map(key => [key, null]))},
      })

      const {status, stderr} = await run(many)
      expect(status).toBe(5)
      for (const name of [edited, annotated]) expect(stderr).toContain(`CustomResourceDefinition ${name}`)
      expect(await run(many, '--force-conflicts')).toMatchObject({status: 0})

      const [first, second, third] = await Promise.all(names.map(name => read(api, name)))
      expect(asObjects(asObject(first?.spec).versions)[0]?.schema).toEqual({
        openAPIV3Schema: {type: 'object'},
      })
      expect(second?.metadata.annotations).toMatchObject({'example.org/text': 'text'})
      expect(third?.metadata.labels).toMatchObject(claim)
      const again = await requestsOf(many)
      expect(again.filter(each => each.resource === 'customresourcedefinitions')).toHaveLength(1)
    }, 60_000)

    it('are not changed while one of them is being deleted', async () => {
      const api = openApi(cluster())
      const name = 'a9.many.example.org'
      const object = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name}
      await api.mergePatch(object, {metadata: {finalizers: ['example.org/held']}}, {manager: 'suite'})
      await api.delete(object)
      const {status, stderr} = await run(many)
      expect(status).toBe(5)
      expect(stderr).toContain(`CustomResourceDefinition ${name} is being deleted`)
    }, 60_000)
  })
})
