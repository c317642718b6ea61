import {afterAll, beforeAll} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {asObject, type JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'

export interface Metadata {
  readonly kind?: string
  readonly crossplane?: string
  /** A CRD that it defines, as RESOURCE.GROUP. */
  readonly crd?: string
  /** Its versions, the stored one first. */
  readonly versions?: readonly string[]
  /** The name of a policy that activates kinds. */
  readonly policy?: string
  /** Constraints by path in the registry. */
  readonly requires?: Readonly<Record<string, string>>
}

/** Starts a registry for the tests of a file; returns what makes a declaration of its own with packages in it. */
export function lockedXpkgs() {
  const folder = temporaryFolder()
  let server: RegistryServer
  beforeAll(async () => {
    server = await startRegistry()
  })
  afterAll(() => server.close())

  /** A declaration of its own with a repository prefix of its own. */
  return function world() {
    const root = mkdtempSync(join(folder, 'w-'))
    const prefix = root
      .slice(-6)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, 'x')
    const name = (path: string) => `${server.host}/${prefix}/${path}`
    const file = join(root, 'crossplane-packages.yaml')
    const run = async (command: string, ...args: readonly string[]) =>
      await runCli('package', command, '--declaration', file, '--cache-dir', join(root, 'cache'), ...args)
    return {
      registry: server,
      root,
      name,
      run,
      declare: (packages: readonly JsonObject[], settings: JsonObject = {}) => {
        const head = {apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'}
        writeFileSync(file, writeYaml([{...head, ...settings, packages}]))
      },
      publish: (path: string, tag: string, metadata: Metadata = {}) => {
        const {kind = 'Provider', crossplane, crd, versions, policy, requires = {}} = metadata
        const dependsOn = Object.entries(requires).map(([to, version]) => ({provider: name(to), version}))
        const stream = writeYaml([
          {
            apiVersion: 'meta.pkg.crossplane.io/v1',
            kind,
            metadata: {name: path},
            spec: {dependsOn, ...(crossplane === undefined ? {} : {crossplane: {version: crossplane}})},
          },
          ...(crd === undefined ? [] : [crdOf(crd, versions)]),
          ...(policy === undefined ? [] : [activating(policy)]),
        ])
        return addXpkg(server, `${prefix}/${path}`, tag, stream)
      },
      lock: () => asObject(readYaml(readFileSync(join(root, 'crossplane-packages.lock')), 'lock')[0]?.value),
      tags: () => {
        const bytes = readFileSync(join(root, 'crossplane-packages.lock'))
        const {xpkgs} = asObject(readYaml(bytes, 'lock')[0]?.value)
        return Object.fromEntries(
          Object.entries(asObject(xpkgs)).map(([key, value]) => [
            key.slice(name('').length),
            asObject(value).tag ?? 'digest',
          ]),
        )
      },
    }
  }
}

/** The name of a request, without its registry. */
export function installName(name: string): string {
  return name.slice(name.indexOf('/') + 1).replaceAll('/', '-')
}

function activating(name: string): JsonObject {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'ManagedResourceActivationPolicy',
    metadata: {name},
    spec: {activate: ['*.example.org']},
  }
}

/** A CRD with these versions, the stored one first. */
export function crdOf(name: string, versions: readonly string[] = ['v1']): JsonObject {
  const [plural = '', ...group] = name.split('.')
  const schema = {openAPIV3Schema: {type: 'object'}}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name},
    spec: {
      group: group.join('.'),
      names: {kind: 'Bucket', plural, singular: 'bucket', listKind: 'BucketList'},
      scope: 'Cluster',
      versions: versions.map((version, i) => ({name: version, served: true, storage: i === 0, schema})),
    },
  }
}
