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
}

/** A clone from which homes are pushed. */
export interface HomeClone {
  readonly folder: string
  /** The URL that controllers read. */
  readonly url: string
  readonly git: (...args: readonly string[]) => string
  readonly push: () => string
}

/** Creates a home for a layout in a clone. Its commands read packages from a folder. */
export function committedHome(
  {folder, url, git, push}: HomeClone,
  {name, layout, packages}: {readonly name: string; readonly layout: string; readonly packages: string},
  cluster: TestCluster,
): CommittedHome {
  const settings = layout === 'flux' ? `flux: {name: ${name}}` : `argocd: {name: ${name}, repoURL: "${url}"}`
  const file = `${name}/crossplane-packages.yaml`
  writeTree(folder, {[file]: `${HEAD}layout: ${layout}\n${settings}\nbase: external\npackages: []\n`})
  git('add', file)
  git('commit', '--quiet', '--message', `Add ${name}`)
  const place = ['--git', folder, '--path', name, '--packages', packages, '--yes', '--quiet']
  return {
    tree: `${name}/packages`,
    run: (command, ...args) => runIn(cluster, 'package', command, ...args, ...place),
    push,
    head: () => git('rev-parse', 'HEAD'),
  }
}

/** Makes a command of a home read the cluster. */
export const WITH_CLUSTER = ['--context', 'test']

const HEAD = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
`
