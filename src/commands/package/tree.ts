import {Command} from '@oclif/core/command'
import {integer} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {choiceFlags} from '../../cli/declaration/choice-flags.js'
import {installedFlags} from '../../cli/cluster/cluster-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {lockFlags} from '../../cli/declaration/lock-flags.js'
import {graphOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {coreVersionFlag} from '../../cli/declaration/xpkg-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {withDefaultDeclaration} from '../../cli/sources/default-declaration.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {showNotes} from '../../cli/shell/document/show.js'
import {showTrees} from '../../cli/resolution/show-tree.js'
import {resolutionQuery} from '../../cli/declaration/resolution-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {notesOfBase} from '../../cli/git/declared-output.js'
import {readRequest} from '../../pipeline/request/read-request.js'
import {trees} from '../../pipeline/resolution/trees.js'

export default class Tree extends Command {
  static override summary = 'Print the dependency tree of a package'
  static override description = `Resolves the dependencies of a package, of the package that provides a CRD, or of all packages of a declaration, and prints \
them as a tree; with --installed, the installed packages of a cluster, as recorded in their inventories. Assumptions, owners that are used for the first time, and versions that are held back are reported on standard \
error. If resolution fails, the partial tree is printed with unsatisfied requirements marked, and the command exits with 3. Of a package for a current Crossplane (xpkg), prints the packages that fit together.`

  static override examples = [
    {
      description: 'Print the dependencies of a package',
      command:
        '<%= config.bin %> <%= command.id %> example/my-app:v0.1.0 --packages ./packages --namespace team-a',
    },
    {
      description: 'Draw the dependencies of a declaration',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --packages ./packages --output mermaid',
    },
    {
      description: 'Print the dependencies of installed packages',
      command: '<%= config.bin %> <%= command.id %> --installed --context my-cluster',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = [
    'namespace',
    'output',
    'packages',
    'index',
    'declaration',
    'owner',
    'locked',
    'depth',
    'installed',
    'quiet',
  ]

  static override args = {
    ref: argument({
      description:
        'Package, or crd:RESOURCE.GROUP[/VERSION] for the package that provides it; with --installed, the NAME of a request or install, or a repository',
    }),
    name: argument({description: "Name of the install or request (default: the repository's path)"}),
  }

  static override flags = {
    ...choiceFlags,
    ...coreVersionFlag,
    ...lockFlags,
    ...installedFlags,
    depth: integer({min: 0, helpGroup: 'OUTPUT', helpValue: 'N', summary: 'Maximum depth to print'}),
    ...graphOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags: parsedFlags, raw} = await this.parse(Tree)
    if (parsedFlags.installed) {
      const {expectNoReference, expectOfCluster, showInstalledTree} =
        await import('../../cli/resolution/show-installed.js')
      expectNoReference(args.name)
      expectOfCluster(writtenFlags(raw), ['namespace', 'depth'])
      const installed = {name: args.ref, argv: this.argv, version: this.config.version}
      return await showInstalledTree(parsedFlags, installed)
    }
    const flags = withDefaultDeclaration(args.ref, parsedFlags)
    const shown = progress(this.argv)
    const query = resolutionQuery(args, flags, writtenFlags(raw))
    const ports = requestPorts(flags, shown)
    const request = await readRequest(query, ports)
    const {depth, output: format} = flags
    const drawing = {format, paint: painter(this.argv, 'stdout'), depth}
    try {
      await showTrees(trees(request, depth), drawing, ({notes}) => {
        shown.end()
        showNotes([...notesOfBase(request), ...notes], this.argv)
      })
    } finally {
      shown.end()
    }
  }
}
