import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {choiceFlags} from '../../cli/flags/choice.js'
import {commonFlags} from '../../cli/flags/global.js'
import {lockFlags} from '../../cli/flags/lock.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {painter} from '../../cli/output/paint.js'
import {withDefaultDeclaration} from '../../cli/ports/default-declaration.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {progress} from '../../cli/output/progress.js'
import {formatDocument, show} from '../../cli/output/show.js'
import {formatWhy} from '../../cli/output/show-why.js'
import {resolutionQuery} from '../../cli/options/resolution/resolution-query.js'
import {readRequest} from '../../pipeline/resolve/read-request.js'
import {why} from '../../pipeline/why.js'

export default class Why extends Command {
  static override summary = 'Explain why a package would be installed.'
  static override description = `Resolves what is asked for and shows each way from there to one package, or to the package that brings a CRD: who needs \
it, for what, and whether its version was held back.`

  static override examples = [
    {
      description: 'Ask why a provider comes with an application',
      command:
        '<%= config.bin %> <%= command.id %> example/my-provider example/my-app:v0.1.0 --packages ./packages --namespace team-a',
    },
    {
      description: 'Ask who brings a CRD into what a declaration lists',
      command:
        '<%= config.bin %> <%= command.id %> databases.sql.example.org --declaration crossplane-packages.yaml --packages ./packages',
    },
  ]

  static override args = {
    what: argument({required: true, description: 'A package without its tag, or a CRD.'}),
    ref: argument({description: 'What is asked for, as for package tree.'}),
  }

  static override flags = {
    ...choiceFlags,
    ...lockFlags,
    ...reportOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags: given} = await this.parse(Why)
    const flags = withDefaultDeclaration(args.ref, given)
    const shown = progress(this.argv)
    const query = resolutionQuery({ref: args.ref}, flags)
    const {requested, policy, packages} = await readRequest(query, requestPorts(flags, shown))
    const report = await why(args.what, requested, policy, packages).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatWhy(report, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'InstallReasons', ...report}, flags.output),
    )
  }
}
