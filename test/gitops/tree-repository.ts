import {execFileSync} from 'node:child_process'
import {expect} from '@jest/globals'
import {cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, isJsonObject, type JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {runCli} from '../run-cli.js'

const EXAMPLES = join(import.meta.dirname, '../../examples/platform/packages')
const APP = 'example/app-press'

/** The installs of the trees: the versions of the provider and of the application, and the namespaces of the latter. */
export interface TreeContent {
  readonly provider: string
  readonly app: string
  readonly apps: readonly string[]
  /** Namespaces whose application is being uninstalled. */
  readonly draining?: readonly string[]
}

/**
 * A repository with two rendered trees. `packages` has the CRDs, and installs of one package in several namespaces,
 * which share its CRD. `external` has another install of it, in \`team-d\`, and no CRDs.
 */
export interface TreeRepository {
  /** The folder of the packages. */
  readonly packages: string
  /** Renders the trees, commits and pushes them, and returns the commit. */
  commit(content: TreeContent): Promise<string>
  /** The last commit. */
  head(): string
  /** The objects of both trees by the paths of their files. */
  objects(): ReadonlyMap<string, JsonObject>
  /** The text of a file. */
  read(path: string): string
}

/** The folders of the trees, and the names that layouts derive from these. */
export const TREES = ['packages', 'external']

/** Creates `<folder>/repository.git` with a clone. @param flags - of the layout. */
export function treeRepository(folder: string, flags: readonly string[]): TreeRepository {
  const [bare, clone] = [join(folder, 'repository.git'), join(folder, 'clone')]
  const packages = publishPackages(join(folder, 'packages'))
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=suite', '-c', 'user.email=suite@example.org', ...args], {
      cwd: clone,
      encoding: 'utf8',
      env: {PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1'},
    }).trim()
  const render = async (tree: string, declaration: string, ...more: readonly string[]) => {
    const path = join(clone, `${tree}.yaml`)
    writeFileSync(path, declaration)
    const {status, stderr} = await runCli(
      ...['package', 'render', '--declaration', path, '--packages', packages, '--create-namespace'],
      ...['--output-dir', join(clone, tree), ...flags, ...more],
    )
    if (status !== 0) throw new Error(stderr)
  }
  mkdirSync(clone, {recursive: true})
  git('init', '--quiet', '--bare', '--initial-branch=main', bare)
  git('init', '--quiet', '--initial-branch=main')
  return {
    packages,
    async commit(content) {
      await render('packages', declarationOf(content), '--base')
      await render('external', EXTERNAL)
      git('add', '--all')
      git('commit', '--quiet', '--message', 'Change the packages')
      git('push', '--quiet', bare, 'main')
      return git('rev-parse', 'HEAD')
    },
    head: () => git('rev-parse', 'HEAD'),
    objects: () => objectsBelow(clone),
    read: path => readFileSync(join(clone, path), 'utf8'),
  }
}

/** The packages of the examples, and a version of the application whose CRD has another property. */
function publishPackages(folder: string): string {
  cpSync(EXAMPLES, folder, {recursive: true})
  const next = join(folder, `${APP}@v0.2.0`, '.registry')
  cpSync(join(folder, `${APP}@v0.1.0`, '.registry'), next, {recursive: true})
  const edit = (path: string, from: string, to: string) => {
    const text = readFileSync(join(next, path), 'utf8')
    expect(text).toContain(from)
    writeFileSync(join(next, path), text.replace(from, to))
  }
  edit('app.yaml', 'v0.1.0', 'v0.2.0')
  edit('resources/press.crd.yaml', 'title:', 'subtitle: {type: string}\n            title:')
  return folder
}

const HEAD = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
`

const EXTERNAL = `${HEAD}crds: external
assume: [sqlinstances.database.cloud.example.org/v1alpha1, clusters.compute.cloud.example.org/v1alpha1]
packages:
- package: ${APP}:v0.1.0
  namespace: team-d
`

function declarationOf({provider, app, apps, draining = []}: TreeContent): string {
  const packages = [
    `- package: example/provider-cloud:${provider}`,
    ...apps.flatMap(namespace => [
      `- package: ${APP}:${app}`,
      `  namespace: ${namespace}`,
      ...(draining.includes(namespace) ? ['  draining: true'] : []),
    ]),
  ]
  return `${HEAD}packages:\n${packages.join('\n')}\n`
}

const FOLDERS =
  /^(?:packages|external)\/(?:namespaces|crds|base|installs)\/(?:.*\/)?(?!kustomization\.yaml$)[^/]+\.yaml$/

function objectsBelow(clone: string): ReadonlyMap<string, JsonObject> {
  const paths = readdirSync(clone, {recursive: true, encoding: 'utf8'}).filter(path => FOLDERS.test(path))
  return new Map(
    paths.sort().map(path => {
      const [document] = readYaml(readFileSync(join(clone, path)), path)
      return [path, isJsonObject(document?.value) ? document.value : asObject(undefined)] as const
    }),
  )
}
