import {Command} from '@oclif/core/command'
import {boolean} from '@oclif/core/flags'
import {argument} from '../../cli/flags/argument.js'
import {FOUND} from '../../cli/exit-code.js'
import {commonFlags} from '../../cli/flags/global.js'
import {outcomeOutputFlag} from '../../cli/flags/output.js'
import {packageFlags} from '../../cli/flags/package.js'
import {pullFlags} from '../../cli/flags/pull.js'
import {painter} from '../../cli/output/paint.js'
import {packagePorts} from '../../cli/ports/package-ports.js'
import {progress} from '../../cli/output/progress.js'
import {formatFindings, formatSummary} from '../../cli/output/show-lint.js'
import {formatJson, show} from '../../cli/output/show.js'
import {lint} from '../../pipeline/lint.js'

export default class Lint extends Command {
  static override summary = 'Find what is wrong with a package, all at once.'
  static override description = `Reads a package, from disk or from a registry, and names every mistake in it, with file and line: what keeps it from being rendered, \
what its own format calls an error, and what its author should look at. Ends with 0 if there are no errors, 1 if there \
are, and 7 if the package could not be looked at. Each rule, with examples, is explained in docs/lint.`

  static override examples = [
    {
      description: 'Look at a package that you are writing',
      command: '<%= config.bin %> <%= command.id %> ./my-provider',
    },
    {
      description:
        'Let a build fail for warnings too, and hold the version against the tag it will be pushed under',
      command:
        '<%= config.bin %> <%= command.id %> ./my-provider --as-package example/my-provider:v0.1.0 --strict',
    },
    {
      description: 'Count the findings of a published package by rule',
      command:
        "<%= config.bin %> <%= command.id %> oci-archive:my-provider.tar --output json | jq '.findings | group_by(.rule) | map({(.[0].rule): length}) | add'",
    },
  ]

  static override args = {
    ref: argument({required: true, description: 'The package, as for package render.'}),
  }

  static override flags = {
    ...packageFlags,
    ...pullFlags,
    strict: boolean({helpGroup: 'OUTPUT', summary: 'End with 1 for warnings too.'}),
    ...outcomeOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Lint)
    const asPackage = flags['as-package']
    const query = {reference: args.ref, ...(asPackage === undefined ? {} : {asPackage})}
    const shown = progress(this.argv)
    const ports = await packagePorts(flags, shown)
    const report = await lint(query, ports).finally(shown.end)
    if (flags.output === 'json') await show(formatJson({kind: 'LintReport', ...report}))
    else {
      await show(formatFindings(report, painter(this.argv, 'stdout')))
      process.stderr.write(formatSummary(report))
    }
    const {errors, warnings} = report.counts
    if (errors > 0 || (flags.strict && warnings > 0)) this.exit(FOUND)
  }
}
