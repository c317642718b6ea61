import {Command} from '@oclif/core/command'
import {integer, option} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {choiceFlags} from '../../cli/flags/choice.js'
import {commonFlags} from '../../cli/flags/global.js'
import {lockFlags} from '../../cli/flags/lock.js'
import {painter} from '../../cli/output/paint.js'
import {withDefaultDeclaration} from '../../cli/ports/default-declaration.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {progress} from '../../cli/output/progress.js'
import {showNotes} from '../../cli/output/show.js'
import {showTree} from '../../cli/output/show-tree.js'
import {resolutionQuery} from '../../cli/options/resolution/resolution-query.js'
import {readRequest} from '../../pipeline/resolve/read-request.js'
import {tree} from '../../pipeline/tree.js'

export default class Tree extends Command {
  static override summary = 'Show what a package needs, which packages meet that, and what they need.'
  static override description = `Resolves the dependencies of a package, of whatever package defines a CRD, or of all that a declaration lists, from \
a folder of packages and from indexes, and shows how they hang together. What was assumed, trusted or held back is said \
on stderr. Where nothing fits together, what can be shown is shown, what is unmet is marked, and the command ends with 3.`

  static override examples = [
    {
      description: 'Show what a package would bring with it',
      command:
        '<%= config.bin %> <%= command.id %> example/my-app:v0.1.0 --packages ./packages --namespace team-a',
    },
    {
      description: 'Draw what a declaration lists',
      command:
        '<%= config.bin %> <%= command.id %> --declaration crossplane-packages.yaml --packages ./packages --output mermaid',
    },
  ]

  static override args = {
    ref: argument({description: 'The package, as for package render, or crd:RESOURCE.GROUP[/VERSION].'}),
    name: argument({description: "Name of the install; otherwise the repository's path."}),
  }

  static override flags = {
    ...choiceFlags,
    ...lockFlags,
    depth: integer({min: 0, helpGroup: 'OUTPUT', helpValue: 'N', summary: 'Show so many levels only.'}),
    output: option({
      char: 'o',
      options: ['text', 'json', 'yaml', 'dot', 'mermaid'] as const,
      default: 'text',
      helpGroup: 'OUTPUT',
      summary: 'Output format; text is for people and may change.',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags: given} = await this.parse(Tree)
    const flags = withDefaultDeclaration(args.ref, given)
    const shown = progress(this.argv)
    const query = resolutionQuery(args, flags)
    const {requested, policy, packages} = await readRequest(query, requestPorts(flags, shown))
    const report = await tree(requested, policy, flags.depth, packages).finally(shown.end)
    showNotes(report.notes, this.argv)
    await showTree(report, flags.output, painter(this.argv, 'stdout'))
    if (report.refusal !== undefined) throw report.refusal
  }
}
