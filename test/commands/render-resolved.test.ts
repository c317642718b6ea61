import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {expectGolden} from '../golden.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {objectsIn} from './printed-objects.js'

const folder = temporaryFolder()
const PACKAGES = ['--packages', 'examples/platform/packages']
const ADDON = ['example/addon-backup', 'backup', '--namespace', 'infra', ...PACKAGES]

async function objects(...args: readonly string[]): Promise<JsonObject[]> {
  const {status, stdout} = await runCli('package', 'render', ...args)
  expect(status).toBe(0)
  return objectsIn(stdout) as unknown as JsonObject[]
}

const named = (all: readonly JsonObject[], kind: string, name: string) =>
  all.find(object => object.kind === kind && asObject(object.metadata).name === name) ?? {}
const resources = (rules: unknown) => asObjects(rules as never).map(rule => rule.resources)

describe('the permissions for dependencies', () => {
  it('name plurals if the dependencies are resolved: dependsOn has the singular sqlinstance', async () => {
    const all = await objects(...ADDON)
    const role = named(all, 'ClusterRole', 'package:infra:backup:v0.3.0:system')
    expectGolden('rules-addon-backup.yaml', writeYaml([{rules: role.rules ?? []}]))
    const {permissions} = asObject(named(all, 'Package', 'backup').spec)
    expect(asObject(permissions).rules).toEqual(role.rules)
  })

  it('are as they were written if not', async () => {
    const all = await objects(...ADDON, '--no-dependencies')
    const role = named(all, 'ClusterRole', 'package:infra:backup:v0.3.0:system')
    expect(resources(role.rules).at(-1)).toEqual(['sqlinstance'])
  })
})

describe('parameters of a request', () => {
  /** What containers run, and with which secrets, by Deployment. */
  const pulls = async (...args: readonly string[]) => {
    const deployments = (await objects(...args, ...PACKAGES)).filter(({kind}) => kind === 'Deployment')
    return Object.fromEntries(
      deployments.map(({metadata, spec}) => {
        const pod = asObject(asObject(asObject(spec).template).spec)
        const images = asObjects(pod.containers).map(({image}) => image)
        const secrets = asObjects(pod.imagePullSecrets).map(secret => secret.name)
        return [asText(asObject(metadata).name), [...images, ...secrets]] as const
      }),
    )
  }

  it('apply to the requested package and not to its dependencies', async () => {
    const flags = ['--source', 'r.example.org', '--image-pull-secret', 'pull']
    expect(await pulls('example/app-press', 'press', '-n', 'team-a', ...flags)).toEqual({
      'press-controller': ['r.example.org/crossplane/templating-controller:v0.4.0', 'pull'],
      'example-provider-cloud-controller': ['example/provider-cloud:v0.11.0'],
    })
  })

  it('apply to a dependency of a declaration that lists it', async () => {
    const declaration = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- {package: example/app-press, name: press, namespace: team-a}
- {package: example/provider-cloud, parameters: {source: r.example.org, imagePullSecrets: [pull]}}
`
    writeTree(folder, {'wanted.yaml': declaration})
    expect(await pulls('--declaration', join(folder, 'wanted.yaml'))).toEqual({
      'press-controller': ['crossplane/templating-controller:v0.4.0'],
      'example-provider-cloud-controller': ['r.example.org/example/provider-cloud:v0.11.0', 'pull'],
    })
  })
})
