import {
  CrossplaneError,
  type Diagnostic,
  isLocalPath,
  locatePackage,
  type PackagePorts,
  parsePackageReference,
} from 'kubectl-crossplane/plugin'
import type {Engine} from '../engines/engine.js'
import {openTemplates, type TemplatesQuery} from '../open-templates.js'
import {templateFacts} from '../template-facts.js'
import {coverageOf} from './coverage.js'
import {recordedEngine} from './recorded-engine.js'
import type {TestReport} from './report.js'
import {type CaseResult, runCase} from './run-case.js'
import {testCases, type TestCase} from './test-cases.js'

/** The tests to run. */
export interface TestsQuery extends TemplatesQuery {
  /** The folder of the tests, from the package's root. */
  readonly folder: string
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

async function readCases({reference, folder}: TestsQuery, ports: PackagePorts): Promise<readonly TestCase[]> {
  const located = locatePackage(parsePackageReference(reference), {...ports, filesOf: folder})
  const {files} = await located.catch((error: unknown) => {
    // The package itself was read before.
    const isMissing = error instanceof CrossplaneError && error.code === 'not-found'
    throw isMissing ? noTests(reference, folder) : error
  })
  const {cases, errors} = testCases(new Map(files.map(({path, bytes}) => [path, bytes])), folder)
  if (errors.length === 0) return cases
  throw new CrossplaneError('package-invalid', `cannot run the tests of ${reference}: invalid tests`, {
    diagnostics: errors,
  })
}

function selected(cases: readonly TestCase[], {names, reference, folder}: TestsQuery): readonly TestCase[] {
  const unknown = names.find(name => cases.every(test => test.name !== name))
  if (unknown !== undefined) {
    throw new CrossplaneError('usage', `${reference} has no test ${unknown}`, {
      suggestions: [`Its tests are: ${cases.map(({name}) => name).join(', ')}.`],
    })
  }
  const run = names.length === 0 ? cases : cases.filter(({name}) => names.includes(name))
  if (run.length > 0) return run
  throw noTests(reference, folder)
}

/** Images have the files of a package that clusters use. */
function noTests(reference: string, folder: string): CrossplaneError {
  if (isLocalPath(reference)) {
    return new CrossplaneError('not-found', `${reference} has no tests`, {
      suggestions: [`Add a test as ${folder}/NAME/cr.yaml, and pass --update to write what it renders.`],
    })
  }
  const message = `${reference} has no tests: "package build" and "package push" leave out ${folder}/`
  return new CrossplaneError('not-found', message, {
    suggestions: ['Run the tests of its folder: kubectl crossplane template test ./DIR'],
  })
}
