import {Command} from '@oclif/core/command'
import {integer} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {choiceFlags} from '../../cli/flags/choice.js'
import {installedFlags} from '../../cli/flags/cluster.js'
import {commonFlags} from '../../cli/flags/global.js'
import {lockFlags} from '../../cli/flags/lock.js'
import {graphOutputFlag} from '../../cli/flags/output.js'
import {coreVersionFlag} from '../../cli/flags/xpkg.js'
import {painter} from '../../cli/output/text/paint.js'
import {withDefaultDeclaration} from '../../cli/options/default-declaration.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {progress} from '../../cli/output/progress/progress.js'
import {showNotes} from '../../cli/output/document/show.js'
import {showTrees} from '../../cli/output/resolution/show-tree.js'
import {resolutionQuery} from '../../cli/options/resolution/resolution-query.js'
import {writtenFlags} from '../../cli/options/written-flags.js'
import {readRequest} from '../../pipeline/request/read-request.js'
import {trees} from '../../pipeline/trees.js'

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

  /** The flags that `-h` shows. */
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
    name: argument({description: "Name of the install (default: the repository's path)"}),
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
      const {expectNoReference, showInstalledTree} = await import('../../cli/run/show-installed.js')
      expectNoReference(args.name)
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
        showNotes(notes, this.argv)
      })
    } finally {
      shown.end()
    }
  }
}
