import {
  CrossplaneError,
  type Diagnostic,
  folderFiles,
  isLocalPath,
  locatePackage,
  type PackagePorts,
  parsePackageReference,
  quoted,
} from 'kubectl-crossplane/plugin'
import type {Engine, Files} from '../engines/engine.js'
import {openTemplates, type TemplatesQuery} from '../open-templates.js'
import {templateFacts} from '../template-facts.js'
import {coverageOf} from './coverage.js'
import {recordedEngine} from './recorded-engine.js'
import type {TestReport} from './report.js'
import {type CaseResult, runCase} from './run-case.js'
import {testCases, type TestCase} from './test-cases.js'

/** The tests to run. */
export interface TestsQuery extends TemplatesQuery {
  /** The folder of the tests: from the package's root, or from the working folder if `isOutside`. */
  readonly folder: string
  readonly isOutside: boolean
  /** Names of tests; all if empty. */
  readonly names: readonly string[]
}

/** The results of the tests of a package, and what a user must know about the package. */
export interface RunTests {
  readonly report: TestReport
  readonly warnings: readonly Diagnostic[]
}

/**
 * Runs the golden tests of a package. Throws `not-found` if it has none, `package-invalid` for folders that are no tests
 * and for templates that cannot be read.
 */
export async function runTests(query: TestsQuery, ports: PackagePorts, engine: Engine): Promise<RunTests> {
  const opened = await openTemplates(query, ports)
  const cases = selected(await readCases(query, ports), query)
  const recorded = recordedEngine(engine)
  const results: CaseResult[] = []
  for (const test of cases) results.push(await runCase(test, opened, recorded.engine))
  const {templates: facts} = await templateFacts(opened.templates, engine)
  const coverage = coverageOf(opened, facts, {
    runs: recorded.runs,
    resources: results.flatMap(({resources}) => resources),
  })
  return {report: {name: query.reference, cases: results, coverage}, warnings: opened.warnings}
}

async function readCases(query: TestsQuery, ports: PackagePorts): Promise<readonly TestCase[]> {
  const {reference, folder, isOutside} = query
  const files = isOutside ? await folderFiles(folder) : await packagedFiles(query, ports)
  const {cases, errors} = testCases(files, folder)
  if (errors.length === 0) return cases
  throw new CrossplaneError('package-invalid', `cannot run the tests of ${reference}: invalid tests`, {
    diagnostics: errors,
  })
}

async function packagedFiles(query: TestsQuery, ports: PackagePorts): Promise<Files> {
  const {reference, folder} = query
  const located = locatePackage(parsePackageReference(reference), {...ports, filesOf: folder})
  const {files} = await located.catch((error: unknown) => {
    // The package itself was read before.
    const isMissing = error instanceof CrossplaneError && error.code === 'not-found'
    throw isMissing ? noTests(query) : error
  })
  return new Map(files.map(({path, bytes}) => [path, bytes]))
}

function selected(cases: readonly TestCase[], query: TestsQuery): readonly TestCase[] {
  const {names, reference} = query
  const unknown = names.find(name => cases.every(test => test.name !== name))
  if (unknown !== undefined) {
    throw new CrossplaneError('not-found', `test ${quoted(unknown)} not found in ${reference}`, {
      suggestions: [`Use one of ${cases.map(({name}) => name).join(', ')}.`],
    })
  }
  const run = names.length === 0 ? cases : cases.filter(({name}) => names.includes(name))
  if (run.length > 0) return run
  throw noTests(query)
}

/** Images have the files of a package that clusters use. */
function noTests({reference, folder, isOutside}: TestsQuery): CrossplaneError {
  if (isOutside || isLocalPath(reference)) {
    return new CrossplaneError('not-found', `${isOutside ? folder : reference} has no tests`, {
      suggestions: [`Add a test as ${folder}/NAME/cr.yaml, and pass --update to write what it renders.`],
    })
  }
  const message = `${reference} has no tests: "package build" and "package push" leave out ${folder}/`
  return new CrossplaneError('not-found', message, {
    suggestions: [
      `Run the tests of a folder: kubectl crossplane template test ${reference} --tests-from ./DIR`,
    ],
  })
}
