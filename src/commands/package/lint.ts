import {Command} from '@oclif/core/command'
import {boolean, string} from '@oclif/core/flags'
import {argument} from '../../cli/shell/flags/argument.js'
import {FOUND} from '../../cli/shell/exit-code.js'
import {ignoreFlag} from '../../cli/author/build-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {indexFlags} from '../../cli/sources/index-flags.js'
import {lintOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {packageFlags} from '../../cli/sources/package-flags.js'
import {pullFlags} from '../../cli/sources/pull-flags.js'
import {formatLintRules} from '../../cli/lint/show-lint-rules.js'
import {formatRule} from '../../cli/lint/lint-rule-page.js'
import {lintPorts} from '../../cli/lint/lint-ports.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {type LintFormat, showLint} from '../../cli/lint/show-lint.js'
import {formatDocument, show} from '../../cli/shell/document/show.js'
import {templateChecks} from '../../cli/lint/template-checks.js'
import {CrossplaneError} from '../../errors.js'
import {explainRule} from '../../pipeline/author/lint.js'
import {lint, type LintQuery} from '../../pipeline/author/lint.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {inputFiles} from '../../cli/files/input-files.js'
import {ruleEngine} from '../../cli/wire.js'

export default class Lint extends Command {
  static override summary = 'Check a package for errors'
  static override description = `Reads a package, from disk or from a registry, and reports every problem with file and line: errors that prevent it \
from being rendered or installed, and warnings for its author. Exits with 0 if there are no errors, with 1 if there \
are, and with 7 if the package cannot be read. --explain describes a rule, and --list-rules \
lists all of them.`

  static mostUsed = ['packages', 'as-package', 'policy', 'strict', 'explain', 'list-rules', 'output', 'quiet']

  static override examples = [
    {
      description: 'Lint a package in a folder',
      command: '<%= config.bin %> <%= command.id %> ./my-provider',
    },
    {
      description: 'Also fail for warnings, and compare the version with the tag that will be pushed',
      command:
        '<%= config.bin %> <%= command.id %> ./my-provider --as-package example/my-provider:v0.1.0 --strict',
    },
    {
      description:
        'Lint the source folder of a Provider as it will be built, without a file that is not part of it',
      command: '<%= config.bin %> <%= command.id %> ./package --ignore auth.yaml',
    },
    {
      description: 'List the rules that a published package violates',
      command:
        "<%= config.bin %> <%= command.id %> oci-archive:my-provider.tar -o json | jq -r '.findings[].rule'",
    },
    {
      description: 'Explain a rule',
      command: '<%= config.bin %> <%= command.id %> --explain crd-name',
    },
  ]

  static override args = {
    ref: argument({description: 'Package, as for package render'}),
  }

  static isCheck = true
  static override flags = {
    ...packageFlags,
    ignore: ignoreFlag('PACKAGE'),
    ...indexFlags,
    ...pullFlags,
    policy: string({
      helpGroup: 'PACKAGE',
      helpValue: 'FILE',
      summary: 'Policy of a team that the package has to follow: exits with 4 if it does not',
    }),
    strict: boolean({helpGroup: 'OUTPUT', summary: 'Also exit with 1 for warnings'}),
    explain: string({
      helpGroup: 'OUTPUT',
      helpValue: 'RULE',
      summary: 'Explain a rule, with examples, instead of linting a package',
    }),
    'list-rules': boolean({
      exclusive: ['explain'],
      helpGroup: 'OUTPUT',
      summary: 'List all rules instead of linting a package',
    }),
    ...lintOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Lint)
    const {explain, output} = flags
    if (explain !== undefined) return await this.explain(explain, output)
    if (flags['list-rules']) return await show(formatLintRules(output))
    if (args.ref === undefined) throw missingReference()
    const query = {reference: args.ref, asPackage: flags['as-package'], ignore: flags.ignore}
    const shown = progress(this.argv)
    const ports = await lintPorts(flags, shown, templateChecks(this.config))
    const report = await lint(query, ports).finally(shown.end)
    await showLint(report, {
      reference: args.ref,
      format: output,
      version: this.config.version,
      argv: this.argv,
    })
    const {errors, warnings} = report.counts
    if (flags.policy !== undefined && errors === 0) await expectPolicy(flags.policy, query, ports)
    if (errors > 0 || (flags.strict && warnings > 0)) this.exit(FOUND)
  }

  private async explain(id: string, output: LintFormat): Promise<void> {
    const rule = explainRule(id)
    if (output !== 'json' && output !== 'yaml') return await show(formatRule(rule))
    const {severity, title, why, advice} = rule
    await show(formatDocument({kind: 'LintRule', id, severity, title, why, advice}, output))
  }
}

/** Loaded here: most packages are linted without a policy. */
async function expectPolicy(file: string, query: LintQuery, ports: PackagePorts): Promise<void> {
  const {expectReferenceAllowed} = await import('../../pipeline/policy/reference-policy.js')
  await expectReferenceAllowed(file, query, {inputs: inputFiles, rules: ruleEngine, packages: ports})
}

function missingReference(): CrossplaneError {
  return new CrossplaneError('usage', 'missing argument REF', {
    suggestions: ['kubectl crossplane package lint .'],
  })
}
