import {expect, it} from '@jest/globals'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {grouped} from '../../src/grouped.js'
import type {Change} from '../../src/usage/change.js'
import {compareSets} from '../../src/usage/compare-sets.js'
import {CORPUS_ROOT} from '../corpus.js'
import {describeReal} from '../real-parts.js'
import {surfaceOfCorpus} from './corpus-surface.js'

const RECORDED = join(CORPUS_ROOT, 'reference/crdify')

interface Finding {
  readonly name: string
  readonly errors?: readonly string[]
}

/** What crdify reported of a CRD. */
interface Opinion {
  readonly exit: number
  readonly crdValidation: readonly Finding[]
  readonly sameVersionValidation: Readonly<Record<string, Readonly<Record<string, readonly Finding[]>>>>
}

type Recorded = Readonly<Record<string, Opinion | 'gone' | 'new'>>

/** A place at which something becomes worse: CRD, version and path. */
interface Place {
  readonly crd: string
  readonly version: string
  readonly path: string
  readonly check: string
  /** Why crdify reports it. */
  readonly error?: string
}

const plainPath = (path: string) => path.replaceAll('[]', '[*]').replaceAll('.*', '[*]')

function placesOfCrdify(recorded: Recorded): readonly Place[] {
  return Object.entries(recorded).flatMap(([crd, opinion]) =>
    typeof opinion === 'string' ? [] : placesOfOpinion(crd, opinion),
  )
}

function placesOfOpinion(crd: string, {crdValidation, sameVersionValidation}: Opinion): readonly Place[] {
  const removed = crdValidation.flatMap(({name, errors = []}) =>
    name !== 'existingFieldRemoval'
      ? []
      : errors.flatMap(error => {
          const [, version = '', path = ''] = /^removed field : (\w+)\.\^\.?(.*)$/.exec(error) ?? []
          return [{crd, version, path, check: name}]
        }),
  )
  const changed = Object.entries(sameVersionValidation).flatMap(([version, paths]) =>
    Object.entries(paths).flatMap(([path, findings]) =>
      findings
        .filter(({errors = []}) => errors.length > 0)
        .map(({name, errors = []}) => ({
          ...{crd, version, path: path.replace(/^\^\.?/, ''), check: name},
          ...{error: errors[0] ?? ''},
        })),
    ),
  )
  return [...removed, ...changed]
}

function placesOfChanges(changes: readonly Change[], isCounted: (change: Change) => boolean) {
  return changes
    .filter(isCounted)
    .flatMap(({crd = '', versions = [], path, rule}) =>
      path === undefined ? [] : versions.map(version => ({crd, version, path: plainPath(path), check: rule})),
    )
}

/** A change of a field stands for those of the fields within it. */
function isWithin(place: Place, other: Place): boolean {
  if (place.version !== other.version) return false
  const rest = place.path.slice(other.path.length)
  return place.path.startsWith(other.path) && (rest === '' || other.path === '' || /^[.[]/.test(rest))
}

function uncovered(places: readonly Place[], by: readonly Place[]): readonly Place[] {
  const byCrd = grouped(by, ({crd}) => crd)
  return places.filter(place => !(byCrd.get(place.crd) ?? []).some(other => isWithin(place, other)))
}

/** Why crdify rejects what is compatible here. */
const DIFFERENT = {
  'more values are accepted': ({error}: Place) => error?.startsWith('allowed enum values added') === true,
  'a rule in CEL is removed': ({check}: Place, changes: readonly Place[]) =>
    check === 'unhandled' && changes.some(own => own.check === 'rule-removed'),
} as const

function reasonOf(place: Place, changes: readonly Place[]): string {
  const own = changes.filter(other => other.crd === place.crd && isWithin(place, other))
  const reasons = Object.entries(DIFFERENT).filter(([, isReason]) => isReason(place, own))
  return reasons[0]?.[0] ?? `${place.crd} ${place.version} ${place.path} ${place.check}`
}

const pairs = existsSync(RECORDED) ? readdirSync(RECORDED).filter(name => name.endsWith('.json')) : []

function comparePair(file: string) {
  const [, name = '', ...versions] = /^(.*)@(.*)\.\.(.*)\.json$/.exec(file) ?? []
  const recorded = JSON.parse(readFileSync(join(RECORDED, file), 'utf8')) as Recorded
  const [before = [], after = []] = versions.map(version => [
    {package: name, version, surface: surfaceOfCorpus(`${name}@${version}`)},
  ])
  const {changes, unread} = compareSets(before, after)
  const theirs = placesOfCrdify(recorded)
  const worse = placesOfChanges(changes, ({severity}) => severity !== 'compatible')
  const all = placesOfChanges(changes, () => true)
  const crdsOf = (rule: string) => changes.filter(change => change.rule === rule).map(({crd}) => crd)
  return {
    total: theirs.length,
    unread,
    missing: uncovered(theirs, worse).map(place => reasonOf(place, all)),
    unconfirmed: uncovered(worse, theirs),
    kinds: {gone: crdsOf('kind-removed'), new: crdsOf('kind-added')},
    recorded: {gone: named(recorded, 'gone'), new: named(recorded, 'new')},
  }
}

function named(recorded: Recorded, verdict: 'gone' | 'new'): readonly string[] {
  return Object.keys(recorded).filter(crd => recorded[crd] === verdict)
}

const missing = pairs.length > 0 ? undefined : `no opinions of crdify in ${RECORDED}`
// What crdify reports between two versions of the new CRD is no change: its webhook converts them.
describeReal('the recorded opinions of crdify', missing, () => {
  const compared = new Map<string, ReturnType<typeof comparePair>>()

  it.each(pairs)(
    '%s: every change for the worse is one of crdify, and every other one has a reason',
    file => {
      const result = comparePair(file)
      compared.set(file, result)
      const {unread, unconfirmed, kinds, recorded} = result
      expect({unread, unconfirmed, kinds}).toEqual({unread: [], unconfirmed: [], kinds: recorded})
      expect(result.missing.filter(reason => !(reason in DIFFERENT))).toEqual([])
    },
  )

  it('differ in at most 2 % of all places', () => {
    const results = [...compared.values()]
    const total = results.reduce((sum, result) => sum + result.total, 0)
    const differing = results.flatMap(result => result.missing)
    expect({pairs: results.length, isMany: total > 2000}).toEqual({pairs: pairs.length, isMany: true})
    expect(new Set(differing)).toEqual(new Set(Object.keys(DIFFERENT)))
    expect(differing.length / total).toBeLessThan(0.02)
  })
})
