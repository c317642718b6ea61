import {
  CrossplaneError,
  type Diagnostic,
  isJsonObject,
  type JsonObject,
  readYaml,
  writeYaml,
} from 'kubectl-crossplane/plugin'
import {readCustomResources} from '../custom-resource.js'
import type {Engine} from '../engines/engine.js'
import {readLiveObjects} from '../live-objects.js'
import {renderAll} from '../render-all.js'
import type {Templates} from '../render-resource.js'
import {renderedObjects} from '../rendered-objects.js'
import type {WatchedKind} from '../watched-kind.js'
import {compareObjects, type Difference} from './compare-objects.js'
import type {TestCase} from './test-cases.js'

/** The result of one test. */
export interface CaseResult {
  readonly name: string
  readonly passed: boolean
  /** Why it failed, if not by differences. */
  readonly reason?: string
  readonly diagnostics: readonly Diagnostic[]
  readonly differences: readonly Difference[]
  /** The custom resources, as an API server would store them. */
  readonly resources: readonly JsonObject[]
  /** The file that would let the test pass. */
  readonly correct: {readonly file: 'want.yaml' | 'error.txt'; readonly text: string}
}

/** The templates of a package, and the kinds that they render. */
export interface TestedTemplates {
  readonly templates: Templates
  readonly kinds: readonly WatchedKind[]
}

/** Renders the custom resource of a test and compares the result. An error of rendering is also a result. */
export async function runCase(test: TestCase, tested: TestedTemplates, engine: Engine): Promise<CaseResult> {
  const outcome = await outcomeOf(test, tested, engine)
  const {name, expected} = test
  const shared = {
    name,
    diagnostics: [],
    differences: [],
    resources: outcome.resources,
    correct: correctFile(outcome),
  }
  if (expected === undefined)
    return {...shared, passed: false, reason: 'the test has neither want.yaml nor error.txt'}
  if (expected.kind === 'error') {
    if (outcome.error === undefined)
      return {...shared, passed: false, reason: 'rendering succeeded, but error.txt expects an error'}
    const passed = textOf(outcome.error).includes(expected.text)
    return {...shared, passed, ...(passed ? {} : failure(outcome.error))}
  }
  if (outcome.error !== undefined) return {...shared, passed: false, ...failure(outcome.error)}
  const want = readYaml(expected.file.bytes, expected.file.name)
    .map(({value}) => value)
    .filter(isJsonObject)
  const differences = compareObjects(want, outcome.objects)
  return {...shared, passed: differences.length === 0, differences}
}

interface Outcome {
  readonly resources: readonly JsonObject[]
  readonly objects: readonly JsonObject[]
  readonly error?: CrossplaneError
}

async function outcomeOf(
  test: TestCase,
  {templates, kinds}: TestedTemplates,
  engine: Engine,
): Promise<Outcome> {
  let resources: readonly JsonObject[] = []
  try {
    const read = readCustomResources([test.resource], kinds)
    resources = read.resources.map(({object}) => object)
    const live = test.state === undefined ? [] : readLiveObjects(test.state)
    const rendered = await renderAll({...templates, live}, read.resources, engine)
    const [failed] = rendered.flatMap(({failures}) => failures)
    const objects = rendered.flatMap(renderedObjects)
    return {resources, objects, ...(failed === undefined ? {} : {error: templateError(failed)})}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    return {resources, objects: [], error}
  }
}

function templateError(diagnostic: Diagnostic): CrossplaneError {
  return new CrossplaneError('package-invalid', 'cannot render all templates', {diagnostics: [diagnostic]})
}

function failure({message, diagnostics}: CrossplaneError): Pick<CaseResult, 'reason' | 'diagnostics'> {
  return {reason: message, diagnostics}
}

function textOf({message, diagnostics}: CrossplaneError): string {
  return [message, ...diagnostics.map(each => each.message)].join('\n')
}

/** Of an error, its most specific message: files and lines change more often. */
function correctFile({objects, error}: Outcome): CaseResult['correct'] {
  if (error === undefined) return {file: 'want.yaml', text: writeYaml(objects)}
  return {file: 'error.txt', text: `${error.diagnostics[0]?.message ?? error.message}\n`}
}
