import {CrossplaneError} from '../../errors.js'
import {installedTree} from '../../pipeline/cluster/installed-tree.js'
import {installedWhy} from '../../pipeline/cluster/installed-why.js'
import {type ClusterFlags} from '../ports/cluster.js'
import {openCluster} from '../ports/cluster-ports.js'
import {progress} from '../output/progress/progress.js'
import {painter} from '../output/text/paint.js'
import {formatDocument, show, showNotes} from '../output/document/show.js'
import {showTrees} from '../output/resolution/show-tree.js'
import {formatWhy} from '../output/resolution/show-why.js'

/** The parts of a command line with `--installed`. */
interface InstalledQuery {
  /** Must not be given. */
  readonly ref?: string
  readonly argv: readonly string[]
  readonly version: string
}

/** Prints the dependency tree of the installed packages. Throws `usage` and the errors of the API. */
export async function showInstalledTree(
  flags: ClusterFlags & {
    readonly namespace?: string
    readonly depth?: number
    readonly output: Parameters<typeof showTrees>[1]['format']
  },
  {ref, argv, version}: InstalledQuery,
): Promise<void> {
  expectNoReference(ref)
  const shown = progress(argv)
  const {api} = await openCluster(flags, version, shown)
  const report = await installedTree(api, flags).finally(shown.end)
  const drawing = {format: flags.output, paint: painter(argv, 'stdout')}
  await showTrees([{kind: 'DependencyTree', ...report}], drawing, ({notes}) => {
    showNotes(notes, argv)
  })
}

/** Explains why a package is installed. Throws `usage`, `not-found` and the errors of the API. */
export async function showInstalledWhy(
  what: string,
  flags: ClusterFlags & {readonly output: 'text' | 'json' | 'yaml'; readonly 'default-source'?: string},
  {ref, argv, version}: InstalledQuery,
): Promise<void> {
  expectNoReference(ref)
  const shown = progress(argv)
  const {api} = await openCluster(flags, version, shown)
  const report = await installedWhy(api, what, flags['default-source']).finally(shown.end)
  await show(
    flags.output === 'text'
      ? formatWhy(report, painter(argv, 'stdout'), 'is installed')
      : formatDocument({kind: 'InstallReasons', ...report}, flags.output),
  )
}

function expectNoReference(ref: string | undefined): void {
  if (ref === undefined) return
  throw new CrossplaneError('usage', 'REF and --installed are mutually exclusive', {
    suggestions: ['Omit --installed to resolve a request.'],
  })
}
