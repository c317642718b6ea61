import {afterAll, expect} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {type RegistryOptions, type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {type CliResult, runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

/** What a package of these tests says and owns. */
export interface Content {
  readonly plural: string
  readonly served?: string
  /** More of its app.yaml. */
  readonly app?: string
}

/** A document that a command printed. */
interface Printed {
  readonly kind: string
  readonly packages: readonly Record<string, unknown>[]
  readonly findings?: readonly {readonly rule: string}[]
  readonly [field: string]: unknown
}

export const documentOf = ({stdout}: CliResult) => JSON.parse(stdout) as Printed
export const codeOf = ({stderr}: CliResult) => (JSON.parse(stderr) as {code: string}).code
/** Packages of a document as `name:tag`. */
export const tagsIn = (result: CliResult) =>
  documentOf(result).packages.map(each => `${String(each.package).split('/').at(-1)}:${String(each.tag)}`)
/** The cells of a table. */
export const cellsOf = ({stdout}: CliResult) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split(/ {2,}/))

/** A run that went well. */
export async function done(running: Promise<CliResult>): Promise<CliResult> {
  const result = await running
  expect({...result, stdout: ''}).toMatchObject({status: 0, stdout: ''})
  return result
}

/** Folders and registries of a suite; these are closed after it. */
export class IndexedWorlds {
  readonly #folder = temporaryFolder()
  readonly #servers: RegistryServer[] = []

  constructor() {
    afterAll(async () => {
      await Promise.all(this.#servers.map(each => each.close()))
    })
  }

  folder(name: string): string {
    return mkdtempSync(join(this.#folder, `${name}-`))
  }

  path(name: string): string {
    return join(this.folder('file'), name)
  }

  tree(files: Readonly<Record<string, string>>): string {
    return writeTree(this.folder('tree'), files)
  }

  async registry(options?: RegistryOptions): Promise<RegistryServer> {
    const started = await startRegistry(options)
    this.#servers.push(started)
    return started
  }

  /** A registry without anything in it. */
  async empty(options?: RegistryOptions): Promise<IndexedWorld> {
    return new IndexedWorld(this, await this.registry(options))
  }

  /** A registry with two versions of one package, one of another that needs it, and the index of them. */
  async filled(options?: RegistryOptions): Promise<IndexedWorld> {
    const world = await this.empty(options)
    const flags = ['--index', world.root]
    const wheels = {plural: 'wheels', app: 'dependsOn: [{crd: gears.gears.example.org}]\n'}
    await done(world.publish('gears', 'v1.0.0', {plural: 'gears'}, ...flags))
    await done(world.publish('gears', 'v2.0.0', {plural: 'gears', served: 'v2'}, ...flags))
    await done(world.publish('wheels', 'v0.1.0', wheels, ...flags))
    return world
  }

  /** A folder with a package that owns `<plural>.<plural>.example.org`. */
  source(tag: string, {plural, served = 'v1', app = ''}: Content): string {
    const group = `${plural}.example.org`
    return this.tree({
      '.registry/app.yaml': `title: ${plural} for all\nversion: ${tag}\ncategory: Database\nkeywords: [storage]\npermissionScope: Cluster\n${app}`,
      '.registry/resources/a.crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}}
spec:
  group: ${group}
  scope: Cluster
  names: {plural: ${plural}, kind: ${plural.toUpperCase()}}
  versions:
  - {name: ${served}, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`,
    })
  }
}

/** A registry with packages and an index, and a user with read permission. */
export class IndexedWorld {
  readonly server: RegistryServer
  readonly cache: string
  readonly #worlds: IndexedWorlds

  constructor(worlds: IndexedWorlds, server: RegistryServer) {
    this.server = server
    this.#worlds = worlds
    this.cache = worlds.folder('cache')
  }

  get root(): string {
    return `${this.server.host}/all/index`
  }

  reference(name: string, tag: string): string {
    return `${this.server.host}/team/${name}:${tag}`
  }

  /** A command about indexes, with a cache of its own where it takes one. */
  async index(verb: string, ...args: readonly string[]): Promise<CliResult> {
    const flags = ['import', 'yank'].includes(verb) ? [] : ['--cache-dir', this.cache]
    return await runCli('registry', 'index', verb, ...flags, ...args)
  }

  async provides(...args: readonly string[]): Promise<CliResult> {
    return await runCli('package', 'provides', '--cache-dir', this.cache, ...args)
  }

  /** Pushes a package. */
  async publish(
    name: string,
    tag: string,
    content: Content,
    ...flags: readonly string[]
  ): Promise<CliResult> {
    const path = this.#worlds.source(tag, content)
    return await runCli('package', 'push', this.reference(name, tag), path, '--no-lint', ...flags)
  }

  /** What the index has, as `name:tag`. */
  async listed(...args: readonly string[]): Promise<string[]> {
    return tagsIn(await this.index('list', '--index', this.root, '-o', 'json', ...args))
  }
}
