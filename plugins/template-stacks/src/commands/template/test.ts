import {join} from 'node:path'
import {Command} from '@oclif/core/command'
import {boolean, string} from '@oclif/core/flags'
import {
  argument,
  commonFlags,
  CrossplaneError,
  type Diagnostic,
  FOUND,
  formatDocument,
  isLocalPath,
  packageFlags,
  packagePorts,
  painter,
  progress,
  pullFlags,
  readOnce,
  replaceFiles,
  show,
  showWarnings,
  testOutputFlag,
} from 'kubectl-crossplane/plugin'
import {withEngine} from '../../engines/start-engine.js'
import {capabilityFlags, capabilitiesOf} from '../../capability-flags.js'
import {formatJunit} from '../../testing/junit.js'
import {formatReport, type TestReport} from '../../testing/report.js'
import type {CaseResult} from '../../testing/run-case.js'
import {runTests} from '../../testing/run-tests.js'

export default class Test extends Command {
  static override summary = 'Run the golden tests of a package made of templates'
  static override description = `Renders the custom resource of each test and compares the objects with those that the test expects. A test is a folder \
below tests/ with cr.yaml, with state.yaml if the templates read objects that exist, and with either want.yaml, the \
objects, or error.txt, a text that the error contains. The objects are compared in their order, after parsing.

The report also counts the templates, branches, bindings and fields of spec that the tests use.

Exits with 0 if all tests pass, with 1 if one fails, and with 7 if the tests could not be run.`

  static override examples = [
    {
      description: 'Run the tests of a package',
      command: '<%= config.bin %> <%= command.id %> ./my-app',
    },
    {
      description: 'Write what the test small renders, after a change that was intended',
      command: '<%= config.bin %> <%= command.id %> ./my-app small --update',
    },
    {
      description: 'Write the error that the test too-small expects',
      command: '<%= config.bin %> <%= command.id %> ./my-app too-small --update --allow-errors',
    },
    {
      description: 'Run the tests of a folder on a published package',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/demo/my-app:v1.0.0 --tests-from ./my-app/tests',
    },
    {
      description: 'Write a report for CI',
      command: '<%= config.bin %> <%= command.id %> ./my-app --output junit > junit.xml',
    },
  ]

  /** A failure of the command exits with 7. */
  static isCheck = true

  /** The names of tests. */
  static override strict = false

  /** The flags that `--help` shows. */
  static mostUsed = ['update', 'output']

  static override args = {
    ref: argument({
      description: 'Package: ./DIR, or any other reference to a package with tests',
      required: true,
    }),
    tests: argument({description: 'Names of tests (default: all)'}),
  }

  static override flags = {
    update: boolean({
      helpGroup: 'TEST',
      summary: 'Write what is rendered to want.yaml of the tests that fail',
    }),
    'allow-errors': boolean({
      dependsOn: ['update'],
      helpGroup: 'TEST',
      summary: 'With --update, also write error.txt of the tests that cannot be rendered',
    }),
    'tests-dir': string({
      default: 'tests',
      helpGroup: 'TEST',
      helpValue: 'DIR',
      summary: 'Folder of the tests, from the root of the package',
    }),
    'tests-from': string({
      helpGroup: 'TEST',
      helpValue: 'DIR',
      summary: 'Folder of the tests outside of the package, for a package in a registry',
      exclusive: ['tests-dir'],
    }),
    ...capabilityFlags,
    ...packageFlags,
    ...pullFlags,
    ...testOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, argv, flags} = await this.parse(Test)
    const shown = progress(this.argv)
    const query = {
      reference: args.ref,
      asPackage: flags['as-package'],
      capabilities: capabilitiesOf(flags),
      live: [],
      folder: flags['tests-from'] ?? flags['tests-dir'],
      isOutside: flags['tests-from'] !== undefined,
      names: argv.slice(1).map(String),
    }
    const ports = readOnce(await packagePorts(flags, shown))
    const {report, warnings} = await withEngine(engine => runTests(query, ports, engine)).finally(shown.end)
    showWarnings({warnings}, this.argv)
    if (flags.update) {
      const folder = flags['tests-from'] ?? packagedTests(args.ref, flags['tests-dir'])
      return await this.#update(report, folder, flags['allow-errors'])
    }
    await show(textOf(report, flags.output, this.argv))
    if (report.cases.some(({passed}) => !passed)) this.exit(FOUND)
  }

  /** A package that cannot be rendered would pass a test that was updated unseen. */
  async #update({cases}: TestReport, folder: string, allowsErrors: boolean): Promise<void> {
    const failed = cases.filter(({passed}) => !passed)
    const isWritten = ({correct}: CaseResult) => allowsErrors || correct.file === 'want.yaml'
    const changes = failed.filter(isWritten).map(({name: test, correct}) => {
      const other = correct.file === 'want.yaml' ? 'error.txt' : 'want.yaml'
      return {
        path: `${test}/${correct.file}`,
        text: correct.text,
        removed: `${test}/${other}`,
      }
    })
    await replaceFiles(folder, changes)
    await show(changes.map(({path}) => `${join(folder, path)}\n`).join(''))
    const errors = failed.filter(each => !isWritten(each))
    showWarnings({warnings: errors.map(each => notUpdated(each, folder))}, this.argv)
    if (errors.length > 0) this.exit(FOUND)
  }
}

function notUpdated({name, correct}: CaseResult, folder: string): Diagnostic {
  const message = `the test is not updated, because it cannot be rendered: ${correct.text.trim()}`
  return {
    severity: 'warning',
    rule: 'test-error',
    message,
    file: `${folder}/${name}/cr.yaml`,
    suggestions: ['Correct the templates or cr.yaml, or add --allow-errors if the test is about this error.'],
  }
}

/** Returns the folder of the tests in a package. Throws `usage` if it cannot be written. */
function packagedTests(reference: string, folder: string): string {
  if (isLocalPath(reference)) return join(reference, folder)
  throw new CrossplaneError('usage', '--update requires a package in a folder', {
    suggestions: ['Pass the folder of the package, such as ./my-app.'],
  })
}

function textOf(
  report: TestReport,
  output: 'text' | 'json' | 'yaml' | 'junit',
  argv: readonly string[],
): string {
  switch (output) {
    case 'text':
      return formatReport(report, painter(argv, 'stdout'))
    case 'junit':
      return formatJunit(report)
    default: {
      const {name, cases, coverage} = report
      const results = cases.map(({correct: _correct, resources: _resources, ...result}) => result)
      return formatDocument({kind: 'TemplateTestReport', package: name, cases: results, coverage}, output)
    }
  }
}
