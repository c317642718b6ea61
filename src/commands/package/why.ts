import {Command} from '@oclif/core/command'
import {argument} from '../../cli/options/argument.js'
import {choiceFlags} from '../../cli/flags/choice.js'
import {commonFlags} from '../../cli/flags/global.js'
import {lockFlags} from '../../cli/flags/lock.js'
import {reportOutputFlag} from '../../cli/flags/output.js'
import {painter} from '../../cli/output/paint.js'
import {packagePorts} from '../../cli/options/package-ports.js'
import {progress} from '../../cli/output/progress.js'
import {formatDocument, show} from '../../cli/output/show.js'
import {formatWhy} from '../../cli/output/show-why.js'
import {askedFor} from '../../cli/options/resolution/wanted.js'
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
    const {args, flags} = await this.parse(Why)
    const {requested, policy, sources} = await askedFor({ref: args.ref}, flags)
    const shown = progress(this.argv)
    const ports = await packagePorts(flags, shown, sources)
    const report = await why(args.what, requested, policy, ports).finally(shown.end)
    await show(
      flags.output === 'text'
        ? formatWhy(report, painter(this.argv, 'stdout'))
        : formatDocument({kind: 'InstallReasons', ...report}, flags.output),
    )
  }
}
