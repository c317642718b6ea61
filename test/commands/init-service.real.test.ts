import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from '@jest/globals'
import {asObject, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {accepted, until} from '../cluster/kube.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = temporaryFolder()

function objectsIn(path: string, pattern: RegExp): JsonObject[] {
  return readdirSync(join(folder, path), {recursive: true, encoding: 'utf8'})
    .filter(name => pattern.test(name))
    .sort()
    .flatMap(name => readYaml(readFileSync(join(folder, path, name)), name))
    .map(({value}) => asObject(value))
}

describeCluster('current', 'the package of a managed service', cluster => {
  it('has CRDs that an API server accepts, and examples without unknown fields', async () => {
    const claim = 'FancySQLInstance.database.example.org/v1alpha1'
    const names = ['--service', 'FavouriteDB', '--group', 'fcp.example.org', '--claim', claim]
    expect(await runCli('package', 'init', folder, '--name', 'fancy', ...names, '--own-claim')).toMatchObject(
      {
        status: 0,
      },
    )
    const {kube} = cluster()
    const crds = objectsIn('.registry', /\.crd\.yaml$/)
    for (const crd of crds) accepted(await kube.create(crd))
    accepted(await kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'crossplane-system'}}))
    const created: JsonObject[] = []
    for (const object of objectsIn('examples', /\.yaml$/)) {
      const plural = pluralOf(crds, asText(object.kind))
      const {namespace} = asObject(object.metadata)
      const path = [
        asText(object.apiVersion) === 'v1' ? '/api' : '/apis',
        asText(object.apiVersion),
        ...(namespace === undefined ? [] : ['namespaces', asText(namespace)]),
        plural,
      ].join('/')
      // Established is reported a moment before the resource is served.
      const answer = await until(
        () => kube.send('POST', `${path}?fieldValidation=Strict`, object),
        ({code}) => code !== 404,
        60,
      )
      created.push(accepted(answer))
    }
    expect(created.map(({kind}) => kind).sort()).toEqual([
      'FancySQLInstance',
      'FavouriteDB',
      'FavouriteDBClass',
      'Provider',
      'Secret',
    ])
    const managed = created.find(({kind}) => kind === 'FavouriteDB')
    expect(asObject(managed?.spec).forProvider).toEqual({size: 1})
  })
})

function pluralOf(crds: readonly JsonObject[], kind: string): string {
  const names = crds.map(({spec}) => asObject(asObject(spec).names))
  return asText(names.find(each => each.kind === kind)?.plural) || 'secrets'
}
