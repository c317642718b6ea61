import {execFileSync} from 'node:child_process'
import {expect} from '@jest/globals'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, isJsonObject, type JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {runCli} from '../run-cli.js'

const PACKAGES = join(import.meta.dirname, '../../examples/platform/packages')

/** The installs of a tree: the version of the provider, and the namespaces of the application. */
interface TreeContent {
  readonly provider: string
  readonly apps: readonly string[]
}

/** A repository with a rendered tree in `packages/`. */
export interface TreeRepository {
  /** Renders the tree, commits and pushes it, and returns the commit. */
  commit(content: TreeContent): Promise<string>
  /** The last commit. */
  head(): string
  /** The objects of the tree by the paths of their files. */
  objects(): ReadonlyMap<string, JsonObject>
  /** The text of a file of the tree. */
  read(path: string): string
}

/**
 * Creates `<folder>/repository.git` with a clone. The declaration has installs of one package in several namespaces,
 * which share its CRD. @param flags - of the layout.
 */
export function treeRepository(folder: string, flags: readonly string[]): TreeRepository {
  const [bare, clone] = [join(folder, 'repository.git'), join(folder, 'clone')]
  const tree = join(clone, 'packages')
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=suite', '-c', 'user.email=suite@example.org', ...args], {
      cwd: clone,
      encoding: 'utf8',
      env: {PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1'},
    }).trim()
  mkdirSync(clone, {recursive: true})
  git('init', '--quiet', '--bare', '--initial-branch=main', bare)
  git('init', '--quiet', '--initial-branch=main')
  return {
    async commit(content) {
      const declaration = join(clone, 'crossplane-packages.yaml')
      writeFileSync(declaration, declarationOf(content))
      const {status, stderr} = await runCli(
        ...['package', 'render', '--declaration', declaration, '--packages', PACKAGES, '--base'],
        ...['--create-namespace', '--output-dir', tree, ...flags],
      )
      expect({status, stderr}).toMatchObject({status: 0})
      git('add', '--all')
      git('commit', '--quiet', '--message', 'Change the packages')
      git('push', '--quiet', bare, 'main')
      return git('rev-parse', 'HEAD')
    },
    head: () => git('rev-parse', 'HEAD'),
    objects: () => objectsBelow(tree),
    read: path => readFileSync(join(tree, path), 'utf8'),
  }
}

function declarationOf({provider, apps}: TreeContent): string {
  const packages = [
    `- package: example/provider-cloud:${provider}`,
    ...apps.flatMap(namespace => [`- package: example/app-press:v0.1.0`, `  namespace: ${namespace}`]),
  ]
  return [
    'apiVersion: packages.kubectl-crossplane.dev/v1alpha1',
    'kind: PackageDeclaration',
    'packages:',
    ...packages,
    '',
  ].join('\n')
}

const FOLDERS = /^(?:namespaces|crds|base|installs)\/(?:.*\/)?(?!kustomization\.yaml$)[^/]+\.yaml$/

function objectsBelow(tree: string): ReadonlyMap<string, JsonObject> {
  const paths = readdirSync(tree, {recursive: true, encoding: 'utf8'}).filter(path => FOLDERS.test(path))
  return new Map(
    paths.sort().map(path => {
      const [document] = readYaml(readFileSync(join(tree, path)), path)
      return [path, isJsonObject(document?.value) ? document.value : asObject(undefined)] as const
    }),
  )
}
