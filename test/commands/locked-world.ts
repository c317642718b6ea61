import {expect} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
export const APP_YAML = 'title: Test\npermissionScope: Cluster\n'
const crd = (plural: string, version: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.x.example.org}
spec:
  group: x.example.org
  scope: Cluster
  names: {plural: ${plural}, kind: ${plural.toUpperCase()}}
  versions:
  - {name: ${version}, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`
/** A package that owns `<plural>.x.example.org` in one version. */
export const owner = (tag: string, plural: string, version: string, needs = '') => ({
  [`x/${plural}@${tag}/.registry/app.yaml`]: `version: ${tag}\n${APP_YAML}${needs}`,
  [`x/${plural}@${tag}/.registry/resources/a.crd.yaml`]: crd(plural, version),
})
/** `x/user` requires a CRD of `x/is`, which a later version of `x/hs` has, too. */
export const takenOver = (tag: 'v1.0.0' | 'v1.1.0'): Readonly<Record<string, string>> => ({
  'x/user@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{crd: is.x.example.org}]\n`,
  ...owner('v1.0.0', 'is', 'v1'),
  ...owner(tag, 'hs', 'v1'),
  ...(tag === 'v1.0.0' ? {} : {[`x/hs@${tag}/.registry/resources/b.crd.yaml`]: crd('is', 'v1')}),
})

const DECLARATION =
  'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: x/app\n'

/** A folder in which everything is as old as it can be, a declaration beside it, and its lock. */
export async function locked(): Promise<World> {
  const root = writeTree(mkdtempSync(join(folder, 'world-')), {
    ...prefixed('packages/', {
      'x/app@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{crd: as.x.example.org}, {crd: bs.x.example.org}]\n`,
      ...owner('v1.0.0', 'as', 'v1', 'dependsOn: [{crd: cs.x.example.org/v1}]\n'),
      ...owner('v1.0.0', 'bs', 'v1'),
      ...owner('v1.0.0', 'cs', 'v1'),
    }),
    'wanted.yaml': DECLARATION,
  })
  const world = new World(root)
  expect(await world.lock()).toMatchObject({status: 0})
  return world
}

export const prefixed = (prefix: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${prefix}${path}`, content]))

class World {
  readonly root: string

  constructor(root: string) {
    this.root = root
  }

  at(path: string): string {
    return join(this.root, path)
  }

  #run(command: string, args: readonly string[]) {
    return runCli(
      ...['package', command, '--declaration', this.at('wanted.yaml')],
      ...['--packages', this.at('packages'), ...args],
    )
  }

  lock = (...args: readonly string[]) => this.#run('lock', args)
  outdated = (...args: readonly string[]) => this.#run('outdated', args)
  render = (...args: readonly string[]) => this.#run('render', args)
  why = (what: string, ...args: readonly string[]) => this.#run('why', [what, ...args])
  tree = (...args: readonly string[]) => this.#run('tree', args)

  /** Later, everything has a newer version; that of `as` needs that of `cs`. */
  publish(): void {
    writeTree(
      this.root,
      prefixed('packages/', {
        ...owner('v2.0.0', 'as', 'v1', 'dependsOn: [{crd: cs.x.example.org/v2}]\n'),
        ...owner('v2.0.0', 'bs', 'v1'),
        ...owner('v2.0.0', 'cs', 'v2'),
      }),
    )
  }

  text(): string {
    return readFileSync(this.at('wanted.lock'), 'utf8')
  }

  edit(from: string | RegExp, to: string, file = 'wanted.lock'): void {
    const before = readFileSync(this.at(file), 'utf8')
    const after = before.replace(from, to)
    expect(after).not.toBe(before)
    writeFileSync(this.at(file), after)
  }

  /** Tags by package, as the lock has them. */
  tags(): Record<string, string> {
    const found = this.text().matchAll(/^ {2}(x\/\w+):\n(?: {4}.*\n)*? {4}tag: (.*)$/gm)
    return Object.fromEntries([...found].map(([, name = '', tag = '']) => [name, tag]))
  }
}

export const OLD = {'x/app': 'v1.0.0', 'x/as': 'v1.0.0', 'x/bs': 'v1.0.0', 'x/cs': 'v1.0.0'}
export const rulesIn = (stderr: string) => [...stderr.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule)
export const lines = (text: string) =>
  text
    .split('\n')
    .map(line => line.replace(/ +/g, ' '))
    .slice(0, -1)
/** The code of the error, which may follow lines on what was pulled. */
export const codeOf = (stderr: string) =>
  (JSON.parse(stderr.slice(stderr.search(/^\{/m))) as {code: string}).code
