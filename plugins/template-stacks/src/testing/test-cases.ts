import type {Diagnostic, InputFile} from 'kubectl-crossplane/plugin'
import type {Files} from '../engines/engine.js'

/** A golden test: a custom resource, and the objects or the error that rendering it gives. */
export interface TestCase {
  readonly name: string
  readonly resource: InputFile
  /** The objects that exist, for templates that read them. */
  readonly state?: InputFile
  /** Absent for a new test, which `--update` completes. */
  readonly expected?: ExpectedObjects | ExpectedError
}

interface ExpectedObjects {
  readonly kind: 'objects'
  readonly file: InputFile
}

/** A text that the error contains. */
interface ExpectedError {
  readonly kind: 'error'
  readonly text: string
}

/** The tests of a package, by name, and folders that are none. */
export interface TestCases {
  readonly cases: readonly TestCase[]
  readonly errors: readonly Diagnostic[]
}

/**
 * Reads the layout of a folder of tests: `NAME/cr.yaml`, `NAME/state.yaml` if the templates read objects, and either
 * `NAME/want.yaml` or `NAME/error.txt`. `folder` is for messages.
 */
export function testCases(files: Files, folder: string): TestCases {
  const names = [
    ...new Set([...files.keys()].filter(isInFolder).map(path => path.slice(0, path.indexOf('/')))),
  ].sort()
  const read = names.map(name => testCase(name, files, folder))
  return {
    cases: read.flatMap(each => ('rule' in each ? [] : [each])),
    errors: read.flatMap(each => ('rule' in each ? [each] : [])),
  }
}

function isInFolder(path: string): boolean {
  return path.includes('/')
}

function testCase(name: string, files: Files, folder: string): TestCase | Diagnostic {
  const fileOf = (file: string): InputFile | undefined => {
    const bytes = files.get(`${name}/${file}`)
    return bytes === undefined ? undefined : {name: `${folder}/${name}/${file}`, bytes}
  }
  const [resource, state, want, error] = ['cr.yaml', 'state.yaml', 'want.yaml', 'error.txt'].map(fileOf)
  if (resource === undefined) return invalid(name, folder, 'the test has no cr.yaml')
  if (want !== undefined && error !== undefined)
    return invalid(name, folder, 'the test has both want.yaml and error.txt')
  const expected = expectedOf(want, error)
  return {
    name,
    resource,
    ...(state === undefined ? {} : {state}),
    ...(expected === undefined ? {} : {expected}),
  }
}

function expectedOf(want: InputFile | undefined, error: InputFile | undefined): TestCase['expected'] {
  if (want !== undefined) return {kind: 'objects', file: want}
  return error === undefined ? undefined : {kind: 'error', text: new TextDecoder().decode(error.bytes).trim()}
}

function invalid(name: string, folder: string, message: string): Diagnostic {
  return {severity: 'error', rule: 'template-test', message, file: `${folder}/${name}`}
}
