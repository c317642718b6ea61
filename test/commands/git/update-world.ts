import {afterAll, beforeAll, expect} from '@jest/globals'
import {join} from 'node:path'
import {writeYaml} from '../../../src/yaml/write-yaml.js'
import type {JsonObject, JsonValue} from '../../../src/yaml/json-value.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {type RegistryServer, startRegistry} from '../../fakes/registry-server.js'
import {addXpkg} from '../../fakes/xpkg-images.js'
import {type CliResult, runCli} from '../../run-cli.js'
import {crdOf} from '../locked-xpkgs.js'
import type {Repository} from './git-world.js'
import {type GitWorlds} from './git-world.js'

/** What a version of a provider has. */
interface Metadata {
  readonly kind?: string
  /** Constraints by path in the registry. */
  readonly requires?: Readonly<Record<string, string>>
  readonly crd?: string
  readonly versions?: readonly string[]
}

interface UpdateJson {
  readonly updates: readonly {
    readonly branch: string
    readonly status: string
    readonly commit?: string
    readonly title?: string
    readonly body?: string
    readonly packages: readonly {package: string; from: string; to: string}[]
    readonly error?: {
      readonly code: string
      readonly message: string
      readonly suggestions: readonly string[]
    }
    readonly note?: string
  }[]
  readonly waiting: readonly {package: string; newest?: string; reason: string}[]
}

/** A registry for the tests of a file, and homes of its packages in remote repositories. */
export function updateWorlds(worlds: GitWorlds) {
  let server: RegistryServer
  let made = 0
  beforeAll(async () => {
    server = await startRegistry()
  })
  afterAll(() => server.close())

  return function world() {
    made += 1
    const prefix = `w${made}`
    const name = (path: string) => `${server.host}/${prefix}/${path}`
    const cache = join(worlds.folder(), 'cache')
    const publish = (
      path: string,
      tag: string,
      {kind = 'Provider', requires = {}, crd, versions}: Metadata = {},
    ) => {
      const dependsOn = Object.entries(requires).map(([to, version]) => ({provider: name(to), version}))
      const head = {
        apiVersion: 'meta.pkg.crossplane.io/v1',
        kind,
        metadata: {name: path},
        spec: {dependsOn},
      }
      return addXpkg(
        server,
        `${prefix}/${path}`,
        tag,
        writeYaml([head, ...(crd === undefined ? [] : [crdOf(crd, versions)])]),
      )
    }
    const declared = (packages: readonly JsonObject[], settings: JsonObject = {}) =>
      writeYaml([
        {
          ...{apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'},
          ...settings,
          packages,
        },
      ])
    /** A remote repository whose home has these packages, locked and rendered. */
    const remote = async (packages: readonly JsonObject[], settings: JsonObject = {}) => {
      const start = worlds.repository({
        'README.md': 'ours\n',
        'crossplane-packages.yaml': declared(packages, settings),
      })
      await start.committed(
        runCli(...['package', 'upgrade', '--git', start.root, '--cache-dir', cache, '--yes', '--quiet']),
      )
      return worlds.bare(start)
    }
    const update = async (git: string, ...args: readonly string[]): Promise<CliResult> =>
      await runCli('package', 'update', '--git', git, '--cache-dir', cache, ...args)
    const updates = async (git: string, ...args: readonly string[]): Promise<UpdateJson> => {
      const {stdout, stderr, status} = await update(git, ...args, '--output', 'json')
      if (stdout === '') throw new Error(`${status}: ${stderr}`)
      const document = JSON.parse(stdout) as UpdateJson
      expect(schemaViolations(schemaOf('package-updates'), document as unknown as JsonValue)).toEqual([])
      return document
    }
    return {server, name, publish, declared, remote, update, updates, cache}
  }
}

/** The statuses of updates by their branches, without the start of the names. */
export function statusesOf({updates}: UpdateJson): Readonly<Record<string, string>> {
  return Object.fromEntries(updates.map(({branch, status}) => [lastName(branch), status]))
}

/** The last word of the name of a branch. */
export function lastName(branch: string): string {
  return branch.slice(branch.lastIndexOf('+') + 1)
}

/** The branches of a repository, but for main. */
export function branchesOf(repository: Repository): readonly string[] {
  return repository
    .git('for-each-ref', '--format=%(refname:short)', 'refs/heads')
    .trim()
    .split('\n')
    .filter(branch => branch !== 'main' && branch !== '')
}
