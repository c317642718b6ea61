import {Command} from '@oclif/core/command'
import {boolean} from '@oclif/core/flags'
import {
  argument,
  commonFlags,
  FOUND,
  indexFlags,
  lint,
  lintOutputFlag,
  lintPorts,
  packageFlags,
  progress,
  pullFlags,
  showLint,
  type TemplateChecks,
} from 'kubectl-crossplane/plugin'
import {withEngine} from '../../engines/start-engine.js'
import {checkWithEngine} from '../../lint/check-with-engine.js'

export default class Lint extends Command {
  static override summary = 'Check a package made of templates for errors'
  static override description = `Reports every problem of a package and of its templates with file and line: all that package lint reports, and what the engine of the templates finds: texts that cannot be parsed, functions that are not allowed, fields that nothing sets or reads, tests that cannot be rendered, and rendered kinds without a permission. package lint reports the same.

With --packages or --index, the kinds of the objects are looked up in the packages that serve them.

Exits with 0 if there are no errors, with 1 if there are, and with 7 if the package cannot be read.`

  static override examples = [
    {description: 'Lint a package in a folder', command: '<%= config.bin %> <%= command.id %> ./my-app'},
    {
      description: 'Also fail for warnings, and look up the kinds of the objects in a folder of packages',
      command: '<%= config.bin %> <%= command.id %> ./my-app --strict --packages ./packages',
    },
    {
      description: 'Explain a rule',
      command: '<%= config.bin %> package lint --explain template-field-unused',
    },
  ]

  static override args = {
    ref: argument({description: 'Package, as for package render', required: true}),
  }

  static isCheck = true

  /** The flags that `--help` shows. */
  static mostUsed = ['strict', 'packages', 'output']

  static override flags = {
    ...packageFlags,
    ...indexFlags,
    ...pullFlags,
    strict: boolean({helpGroup: 'OUTPUT', summary: 'Also exit with 1 for warnings'}),
    ...lintOutputFlag,
    ...commonFlags,
  }

  /** Checks the templates of a package with their engine, also for `package lint`. */
  static checkTemplates: TemplateChecks = async (templates, ports) =>
    await withEngine(engine => checkWithEngine(templates, ports, engine))

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Lint)
    const shown = progress(this.argv)
    const ports = await lintPorts(flags, shown, Lint.checkTemplates)
    const query = {reference: args.ref, asPackage: flags['as-package'], needsTemplates: true}
    const report = await lint(query, ports).finally(shown.end)
    await showLint(report, {
      reference: args.ref,
      format: flags.output,
      version: this.config.version,
      argv: this.argv,
    })
    const {errors, warnings} = report.counts
    if (errors > 0 || (flags.strict && warnings > 0)) this.exit(FOUND)
  }
}
