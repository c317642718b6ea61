import {expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {patternMatcher} from '../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import type {UsedObject} from '../../src/usage/objects/used-object.js'
import type {CrdSurface} from '../../src/usage/package-surface.js'
import {validateObjects} from '../../src/usage/validation/validate-objects.js'
import {findServer} from '../cluster/find-server.js'
import {validator} from '../cluster/servers.js'
import {describeReal} from '../real-parts.js'
import {surfaceOfCorpus} from './corpus-surface.js'
import {opinionObjects, PROVIDERS} from './opinion-objects.js'

/** Of all objects, so many may be judged differently, each for a reason. */
const MAX_SHARE = 0.02

const program = findServer(validator)
const missing =
  program === undefined
    ? 'crossplane-validator: `npm run cluster:setup` builds it'
    : PROVIDERS.length === 0
      ? 'the corpus'
      : undefined

/** What crossplane/cli says of an object. */
interface Opinion {
  readonly status: 'valid' | 'invalid' | 'missingSchema' | 'defaultingFailed'
  readonly errors?: readonly {readonly type: string; readonly field?: string; readonly message: string}[]
}

function opinionsOf(crds: readonly CrdSurface[], objects: readonly UsedObject[]): readonly Opinion[] {
  const input = {
    crds: crds.map(({name, spec}) => ({
      ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
      ...{metadata: {name}, spec},
    })),
    objects: objects.map(({value}) => value),
  }
  const text = JSON.stringify(input, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))
  const {stdout, stderr} = spawnSync(program ?? '', [], {input: text, encoding: 'utf8', maxBuffer: 2 ** 28})
  const {resources, error} = JSON.parse(stdout === '' ? '{}' : stdout) as {
    resources?: readonly Opinion[]
    error?: string
  }
  if (resources === undefined) throw new Error(error ?? stderr)
  return resources
}

const judge = {match: patternMatcher(), rules: schemaRules(), allowUnknown: []}

interface Row {
  readonly object: string
  readonly ours: readonly string[]
  readonly unread: readonly string[]
  readonly theirs: readonly string[]
}

function rowsOf(name: string): readonly Row[] {
  const surface = surfaceOfCorpus(name)
  const {objects, used} = opinionObjects(name, surface.crds)
  const opinions = opinionsOf(used, objects)
  return objects.map((object, index) => {
    const set = [{package: name, version: '', surface}]
    const {findings, unread} = validateObjects(set, {objects: [object], unread: [], files: 1}, judge)
    const {errors = []} = opinions[index] ?? {}
    return {
      object: `${name} ${object.file} ${object.kind}`,
      ours: findings.map(({path = '', message}) => `${path}: ${message}`),
      unread: unread.map(({path = '', reason}) => `${path}: ${reason}`),
      theirs: errors.map(({type, field = '', message}) => `${type} ${field}: ${message}`),
    }
  })
}

/** Why an object is judged differently; undefined for a difference that nothing explains. */
function reasonOf({ours, unread, theirs}: Row): string | undefined {
  if (ours.length > 0) return undefined
  if (theirs.every(text => text.includes('Invalid value: "null"')))
    return 'a server drops a null of an optional field'
  if (unread.some(text => text.includes('a variable, a template'))) return 'a value is still open'
  const isFailing = theirs.every(text => text.startsWith('cel ') && text.includes('conversion error'))
  return unread.length > 0 && isFailing ? 'a rule fails for a text that is no duration' : undefined
}

describeReal('the validator of Crossplane has the same opinion', missing, () => {
  it('of examples, generated objects and faulty ones', () => {
    const rows = PROVIDERS.flatMap(rowsOf)
    const differing = rows.filter(({ours, theirs}) => ours.length > 0 !== theirs.length > 0)
    expect(differing.filter(row => reasonOf(row) === undefined)).toEqual([])
    expect(new Set(differing.map(reasonOf)).size).toBe(3)
    expect(differing.length / rows.length).toBeLessThan(MAX_SHARE)
    const valid = rows.filter(({ours}) => ours.length === 0).length
    process.stderr.write(`${rows.length} objects, ${valid} of them valid; ${differing.length} differ\n`)
    expect({many: rows.length > 1000, valid: valid > 1000, invalid: rows.length - valid > 1000}).toEqual({
      ...{many: true, valid: true, invalid: true},
    })
  }, 600_000)
})
