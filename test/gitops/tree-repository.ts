import {execFileSync} from 'node:child_process'
import {expect} from '@jest/globals'
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, isJsonObject, type JsonObject} from '../../src/yaml/json-value.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import type {TestCluster} from '../cluster/api-server.js'
import {runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {type CommittedHome, committedHome, type HomeLayout} from './committed-home.js'

const EXAMPLES = ['platform/packages', 'packages', 'tutorial/packages'].map(path =>
  join(import.meta.dirname, '../../examples', path),
)
const APP = 'example/app-press'

/** The installs of the trees: the versions of the provider and of the application, and the namespaces of the latter. */
export interface TreeContent {
  readonly provider: string
  readonly app: string
  readonly apps: readonly string[]
  /** Namespaces whose application is being uninstalled. */
  readonly draining?: readonly string[]
  /** Whether there is a package that no other requires, and the Secret with which it pulls its image. */
  readonly addon?: boolean
  readonly pullSecret?: string
}

/**
 * A repository with three rendered trees. `packages` has the CRDs, and installs of one package in several namespaces,
 * which share its CRD. `external` has another install of it, in `team-d`, and no CRDs. `earlier` has another package, in
 * the layout that an earlier version wrote, until it is rendered again.
 */
export interface TreeRepository {
  /** The folder of the packages. */
  readonly packages: string
  /** Runs the command of the guide for a layout, pushes its commit, and returns that. */
  followGuide(layout: 'flux' | 'argocd'): Promise<string>
  /** Renders the trees, commits and pushes them, and returns the commit. */
  commit(content: TreeContent): Promise<string>
  /** Renders the tree `earlier` in the current layout, commits and pushes that, and returns the commit. */
  migrate(): Promise<string>
  /** Adds a home with a tree of its own, which commands with `--git` change, with the packages of a folder. */
  home(name: string, folder: string, cluster: TestCluster, layout?: HomeLayout): CommittedHome
  /** The last commit. */
  head(): string
  /** The objects of all trees by the paths of their files. */
  objects(): ReadonlyMap<string, JsonObject>
  /** The text of a file. */
  read(path: string): string
  has(path: string): boolean
}

/** The tree of an earlier version. */
export const EARLIER = 'earlier'

/**
 * Creates `<folder>/repository.git` with a clone. @param url - that controllers read it from. @param earlier - the name of
 * the file with the tree of an earlier version.
 */
export function treeRepository(
  folder: string,
  url: string,
  {
    layout,
    flags,
    earlier,
  }: {readonly layout: HomeLayout; readonly flags: readonly string[]; readonly earlier: string},
): TreeRepository {
  const [bare, clone] = [join(folder, 'repository.git'), join(folder, 'clone')]
  const packages = publishPackages(join(folder, 'packages'))
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: clone,
      encoding: 'utf8',
      env: {PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1'},
    }).trim()
  const render = async (tree: string, declaration: string, ...more: readonly string[]) => {
    const path = join(clone, `${tree}.yaml`)
    writeFileSync(path, declaration)
    const {status, stderr} = await runCli(
      ...['package', 'render', '--declaration', path, '--packages', packages],
      ...['--output-dir', join(clone, tree), ...flags, ...more],
    )
    if (status !== 0) throw new Error(stderr)
  }
  const pushed = () => {
    git('push', '--quiet', bare, 'main')
    return git('rev-parse', 'HEAD')
  }
  const push = () => {
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Change the packages')
    return pushed()
  }
  mkdirSync(clone, {recursive: true})
  git('init', '--quiet', '--bare', '--initial-branch=main', bare)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'suite')
  git('config', 'user.email', 'suite@example.org')
  git('config', 'user.name', 'suite')
  git('config', 'user.email', 'suite@example.org')
  const former = JSON.parse(readFileSync(join(import.meta.dirname, earlier), 'utf8')) as Record<
    string,
    string
  >
  return {
    packages,
    async followGuide(layout) {
      const words = guideCommand(layout).map(word => replacedWord(word, {clone, packages, url}))
      const {status, stderr} = await runCli(...words)
      if (status !== 0) throw new Error(stderr)
      git('push', '--quiet', bare, 'main')
      return git('rev-parse', 'HEAD')
    },
    async commit(content) {
      if (!existsSync(join(clone, EARLIER))) writeTree(join(clone, EARLIER), former)
      await render('packages', declarationOf(content))
      await render('external', EXTERNAL)
      return push()
    },
    async migrate() {
      await render(EARLIER, EARLIER_DECLARATION)
      return push()
    },
    home: (name, source, cluster, own = layout) =>
      committedHome({folder: clone, url, git, push: pushed}, {name, layout: own, packages: source}, cluster),
    head: () => git('rev-parse', 'HEAD'),
    objects: () => objectsBelow(clone),
    read: path => readFileSync(join(clone, path), 'utf8'),
    has: path => existsSync(join(clone, path)),
  }
}

/** The words in the guide that select the layout of a tree, and those for another layout, which it names in its text. */
const LAYOUT_WORDS = {flux: '--layout flux', argocd: '--layout argocd --repo-url URL'}

/** The command of the guide that installs a package of v0.12, for a layout, without `kubectl crossplane`. */
function guideCommand(layout: keyof typeof LAYOUT_WORDS): readonly string[] {
  const guide = readFileSync(GUIDE, 'utf8')
  const [line] = /^kubectl crossplane package install example\/provider-queue:.*$/m.exec(guide) ?? []
  // The text of a page is wrapped anywhere.
  const text = guide.replace(/\s+/g, ' ')
  if (
    line?.includes(LAYOUT_WORDS.flux) !== true ||
    Object.values(LAYOUT_WORDS).some(words => !text.includes(words))
  ) {
    throw new Error(`${GUIDE} has no command that installs a package in each layout`)
  }
  return line.replace(LAYOUT_WORDS.flux, LAYOUT_WORDS[layout]).split(' ').slice(2)
}

const GUIDE = join(import.meta.dirname, '../../docs/gitops.md')

/** A word of a command of the guide, for the repository of the suite. */
function replacedWord(
  word: string,
  {clone, packages, url}: {readonly clone: string; readonly packages: string; readonly url: string},
): string {
  if (word === '.') return clone
  if (word === 'examples/tutorial/packages') return packages
  return word === 'URL' ? url : word
}

/** The packages of the examples, and a version of the application whose CRD has another property. */
function publishPackages(folder: string): string {
  for (const examples of EXAMPLES) cpSync(examples, folder, {recursive: true})
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

const EARLIER_DECLARATION = `${HEAD}base: external
render: {createNamespace: true}
packages:
- package: example/provider-sql:v0.2.0
  namespace: earlier
`

function declarationOf({provider, app, apps, draining = [], addon = false, pullSecret}: TreeContent): string {
  const packages = [
    `- package: example/provider-cloud:${provider}`,
    ...apps.flatMap(namespace => [
      `- package: ${APP}:${app}`,
      `  namespace: ${namespace}`,
      ...(draining.includes(namespace) ? ['  draining: true'] : []),
    ]),
    ...(addon ? ['- package: example/addon-backup:v0.3.0', ...pulledWith(pullSecret)] : []),
  ]
  return `${HEAD}packages:\n${packages.join('\n')}\n`
}

function pulledWith(pullSecret: string | undefined): readonly string[] {
  return pullSecret === undefined ? [] : [`  parameters: {imagePullSecrets: [${pullSecret}]}`]
}

const FOLDERS =
  /^(?:packages|external|earlier)\/(?:namespaces|crds|base|installs)\/(?:.*\/)?(?!kustomization\.yaml$)[^/]+\.yaml$/

function objectsBelow(clone: string): ReadonlyMap<string, JsonObject> {
  const paths = readdirSync(clone, {recursive: true, encoding: 'utf8'}).filter(path => FOLDERS.test(path))
  return new Map(
    paths.sort().map(path => {
      const [document] = readYaml(readFileSync(join(clone, path)), path)
      return [path, isJsonObject(document?.value) ? document.value : asObject(undefined)] as const
    }),
  )
}
