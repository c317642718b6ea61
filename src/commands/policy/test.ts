import {Command} from '@oclif/core/command'
import {FOUND} from '../../cli/shell/exit-code.js'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {testOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {folderFlags, packageFlags} from '../../cli/sources/package-flags.js'
import {pullFlags} from '../../cli/sources/pull-flags.js'
import {painter} from '../../cli/shell/text/paint.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {formatPolicyTest} from '../../cli/lint/show-policy-test.js'
import {show} from '../../cli/shell/document/show.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {testPolicy} from '../../pipeline/policy/test-policy.js'

export default class Test extends Command {
  static override summary = 'Run the tests of a policy'
  static override description = `Reads a PolicyTest: a policy, and cases that it allows or denies. A case names a package, which is judged without its \
dependencies, or a folder with files of variables, such as images.yaml.

Exits with 0 if all cases pass, with 1 if one fails, and with 7 if they could not be run.`

  static override examples = [
    {
      description: 'Run the tests of a policy',
      command: '<%= config.bin %> <%= command.id %> policy-test.yaml',
    },
    {
      description: 'Write a report for CI',
      command: '<%= config.bin %> <%= command.id %> policy-test.yaml --output junit',
    },
  ]

  /** A failure of the command exits with 7. */
  static isCheck = true

  static override args = {
    file: argument({required: true, description: 'File of tests'}),
  }

  static override flags = {
    ...folderFlags,
    platform: packageFlags.platform,
    ...pullFlags,
    ...testOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Test)
    const shown = progress(this.argv)
    const {inputs, rules, packages} = requestPorts({...flags, index: undefined}, shown)
    const ports = {inputs, rules, packages: await packages()}
    const cases = await testPolicy(args.file, ports).finally(shown.end)
    await show(formatPolicyTest({file: args.file, cases}, flags.output, painter(this.argv, 'stdout')))
    if (cases.some(({passed}) => !passed)) this.exit(FOUND)
  }
}
