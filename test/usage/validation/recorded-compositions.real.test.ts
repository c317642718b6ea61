import {expect, it} from '@jest/globals'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {goPatterns} from '../../../src/adapters/cel/match-pattern.js'
import {compositionErrors} from '../../../src/author/lint/check-compositions.js'
import type {PackageFile} from '../../../src/unpack/package-file.js'
import {readObjects} from '../../../src/usage/objects/read-objects.js'
import {validateObjects} from '../../../src/usage/validation/validate-objects.js'
import type {ValidationFinding} from '../../../src/usage/validation/validation.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {CORPUS_ROOT} from '../../corpus.js'
import {describeReal} from '../../real-parts.js'

const RECORDED = join(CORPUS_ROOT, 'reference/compositions')

/** Reported although Crossplane shows no error: a part never has an effect (decision 0149). */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'base-kind-not-installed': 'the renderer takes each kind for installed',
  'connection-before-exists': 'a path that the schema does not have',
  'key-dots-unquoted': 'all annotations are lost',
  'metadata-annotations-non-string': 'all annotations are lost',
  'metadata-labels-non-string': 'all labels are lost',
  'metadata-labels-one-bad-loses-all': 'all labels are lost',
  'metadata-name-number': 'the name is lost',
  'path-case-differs': 'a path that the schema does not have',
  'readiness-path-missing': 'a check that never passes',
  'to-composite-from-not-in-crd': 'a path that the schema does not have',
  'to-composite-spec-unknown': 'a path that the schema does not have',
  'xrd-v1-machinery': 'a path that the schema does not have',
  'xrd-v2-machinery': 'a path that the schema does not have',
}

/** What a recorded case says of one composite resource. */
interface Expected {
  readonly xr: string
  readonly error: string
}

/** Events that tell of something that works all the same. */
const HARMLESS = /using XR namespace|ignoring 'policy.fromFieldPath: Required'/

function errorsOf(want: JsonObject): readonly Expected[] {
  const definitions = Object.values(asObject(want.definitions)).map(text => ({xr: '', error: asText(text)}))
  return [...definitions, ...asObjects(want.xrs).flatMap(xrErrors)]
}

function xrErrors(xr: JsonObject): readonly Expected[] {
  const warnings = asObjects(xr.events).filter(
    ({type, message}) => type === 'Warning' && !HARMLESS.test(asText(message)),
  )
  const server = asObjects(xr.server).flatMap(({create, createStrict, apply}) => [
    create,
    createStrict,
    apply,
  ])
  const texts = [
    ...[xr.admission, xr.admissionStrict, xr.statusApply, ...server].filter(
      text => text !== undefined && text !== 'accepted',
    ),
    ...warnings.map(({message}) => message),
    xr.error,
  ].map(asText)
  return texts.filter(text => text !== '').map(error => ({xr: asText(xr.xr), error}))
}

/** The part of a Composition, or of an object, that an error of Crossplane, the function or the API server names. */
function namedPart(error: string): RegExp {
  const environment = /environment patch at index (\d+)/.exec(error)
  if (environment !== null) return new RegExp(`environment\\.patches\\[${environment[1]}\\]`)
  const patch = /patch at index (\d+)/.exec(error)
  if (patch !== null) return new RegExp(`\\.patches\\[${patch[1]}\\]`)
  const input = /invalid Function input: ([\w.[\]]+?)(?:\.pairs|\.toFieldPathPolicy)?:/.exec(error)
  if (input !== null) return new RegExp(escaped(`input.${input[1] ?? ''}`))
  const field = /(?:is invalid: \[?|Kind=\w+\): \.?|unknown field ")([\w.[\]]+)/.exec(error)
  return field === null ? /./ : new RegExp(escaped((field[1] ?? '').replace(/\[\d+\]$|\.fuel$/, '')))
}

function escaped(text: string): string {
  return text.replaceAll(/[.[\]]/g, String.raw`\$&`)
}

function fileOf(name: string): PackageFile {
  // The cases were written and read with YAML 1.2, where n is no boolean.
  const text = readFileSync(join(RECORDED, name, 'in.yaml'), 'utf8').replaceAll('code: n}', "code: 'n'}")
  return {path: 'in.yaml', bytes: Buffer.from(text)}
}

function validated(name: string) {
  const objects = readObjects([fileOf(name)])
  return validateObjects([], objects, {allowUnknown: [], ...goPatterns()})
}

/** What is said of the Composition, its XRD and composite resources; not of objects that exist already. */
function judged(findings: readonly ValidationFinding[]): readonly ValidationFinding[] {
  return findings.filter(({object}) => !/^(?:Oven|Lot) /.test(object))
}

describeReal('recorded Compositions', existsSync(RECORDED) ? undefined : `there is no ${RECORDED}`, () => {
  const names = existsSync(RECORDED) ? readdirSync(RECORDED).filter(name => !name.endsWith('.md')) : []

  it.each(names)('%s', name => {
    const document = readYaml(readFileSync(join(RECORDED, name, 'want.yaml')), 'want.yaml')[0]
    const errors = errorsOf(asObject(document?.value))
    const {findings, unread} = validated(name)
    const own = judged(findings)
    const isReported = ({xr, error}: Expected) =>
      own.some(({object, path = '', message}) => {
        const isOfXr = [object, message].some(text => new RegExp(`[ /]${xr}\\)?$`).test(text))
        const isOfEach = !/\(\w+ [\w/-]+\)$/.test(message)
        return (isOfXr || isOfEach) && namedPart(error).test(`${path} ${message}`)
      })
    expect(errors.filter(error => !isReported(error))).toEqual([])
    expect(own.length > 0).toBe(errors.length > 0 || name in WITHOUT_EFFECT)
    expect(unread).toEqual([])
    const linted = compositionErrors([fileOf(name)]).filter(({severity}) => severity === 'error')
    expect(errors.length === 0 ? linted : []).toEqual([])
  })
})
