import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {TestCluster} from '../cluster/api-server.js'
import {runIn} from '../commands/cluster/installing.js'
import type {CliResult} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'

/** A home in a clone, whose tree a controller reconciles by the name of the home. */
export interface CommittedHome {
  /** The folder of the tree in the repository. */
  readonly tree: string
  /** Runs a command with `--git`, which does not push. */
  readonly run: (command: string, ...args: readonly string[]) => Promise<CliResult>
  /** Pushes what was committed, and returns the last commit. */
  readonly push: () => string
  readonly head: () => string
  /** The URL that controllers read, the file of the declaration, and the folder of packages. */
  readonly url: string
  readonly declaration: string
  readonly packages: string
  /** Reads and commits a file of the repository. */
  readonly read: (path: string) => string
  readonly write: (path: string, content: string) => void
}

/** A clone from which homes are pushed. */
export interface HomeClone {
  readonly folder: string
  /** The URL that controllers read. */
  readonly url: string
  readonly git: (...args: readonly string[]) => string
  readonly push: () => string
}

export type HomeLayout = 'flux' | 'argocd' | 'plain'

/** Creates a home for a layout in a clone. Its commands read packages from a folder. */
export function committedHome(
  {folder, url, git, push}: HomeClone,
  {name, layout, packages}: {readonly name: string; readonly layout: HomeLayout; readonly packages: string},
  cluster: TestCluster,
): CommittedHome {
  const settings = {
    flux: `flux: {name: ${name}}\n`,
    argocd: `argocd: {name: ${name}, repoURL: "${url}"}\n`,
    plain: '',
  }[layout]
  const file = `${name}/crossplane-packages.yaml`
  writeTree(folder, {[file]: `${HEAD}layout: ${layout}\n${settings}base: external\npackages: []\n`})
  git('add', file)
  git('commit', '--quiet', '--message', `Add ${name}`)
  const place = ['--git', folder, '--path', name, '--packages', packages, '--yes', '--quiet']
  return {
    tree: `${name}/packages`,
    run: (command, ...args) => runIn(cluster, 'package', command, ...args, ...place),
    push,
    head: () => git('rev-parse', 'HEAD'),
    ...{url, packages, declaration: join(folder, file)},
    read: path => readFileSync(join(folder, path), 'utf8'),
    write(path, content) {
      writeTree(folder, {[path]: content})
      git('add', path)
      git('commit', '--quiet', '--message', `Change ${path}`)
    },
  }
}

/** Makes a command of a home read the cluster. */
export const WITH_CLUSTER = ['--context', 'test']

const HEAD = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
`
