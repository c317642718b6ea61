import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {
  entryBytes,
  type IndexedSummary,
  readEntry,
  readYank,
  yankBytes,
} from '../../../src/index/entry/entry-document.js'
import {CrossplaneError} from '../../../src/errors.js'
import {failure} from '../failure.js'
import {indexed, SQL, yank, YANK} from '../summaries.js'

type Json = Record<string, unknown>

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const documentOf = (bytes: Uint8Array) => JSON.parse(text(bytes)) as Json
const ENTRY = documentOf(entryBytes(SQL))
const [GEARS, SERVERS] = ENTRY.crds as [Json, Json]

/** Faults as `field [rule]`. */
async function faultsIn(read: (name: string, bytes: Uint8Array) => unknown, given: unknown) {
  const bytes = given instanceof Uint8Array ? given : Buffer.from(JSON.stringify(given))
  const {code, diagnostics} = await failure(() => read('the entry x', bytes))
  expect(code).toBe('index-invalid')
  expect(diagnostics.map(({file}) => file)).toEqual(diagnostics.map(() => 'the entry x'))
  return diagnostics.map(({field, rule}) => `${field ?? ''} [${rule}]`)
}

const value = (field: string) => `${field} [index-value]`
const entry = (change: Json) => ({...ENTRY, ...change})
const crd = (change: Json) => entry({crds: [{...GEARS, ...change}]})
const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`)

describe('an entry of an index', () => {
  it('is one line of JSON with sorted keys', () => {
    expect(text(entryBytes(SQL))).toBe(
      `{"category":"Data","crds":[${[
        '{"group":"a.example.org","kind":"Gear","plural":"gears","scope":"Cluster","served":["v1","v1beta1"],"singular":"gear","stored":"v1"}',
        '{"group":"b.example.org","kind":"SQLServer","plural":"servers","scope":"Namespaced","served":[],"singular":"server","stored":"v1alpha1"}',
      ].join()}],"dependsOn":[{"crd":"*.net.example.org/v1"},{"crd":"pods"},{"package":"example/base"}],"digest":"sha256:${'a'.repeat(64)}","formatVersion":1,"identity":"registry.example.org:5000/team/provider-sql","keywords":["sql","データ"],"kind":"PackageEntry","permissionScope":"Cluster","tag":"v1.2.0","title":"SQL “for all” 👩‍💻","version":"1.2.0"}`,
    )
  })

  it('is read as it was written, with any content', () => {
    fc.assert(fc.property(indexed, each => expect(readEntry('x', entryBytes(each))).toEqual(each)))
  })

  it('has the same bytes for any order of the fields of a summary', () => {
    const turned = <T extends object>(each: T) => Object.fromEntries(Object.entries(each).reverse()) as T
    fc.assert(
      fc.property(indexed, each => {
        const other: IndexedSummary = {...turned(each), crds: each.crds.map(turned)}
        expect(text(entryBytes(other))).toBe(text(entryBytes(each)))
      }),
    )
  })

  it('is rejected if it was changed, or read as the changed bytes', () => {
    const outcomes = new Set<string>()
    fc.assert(
      fc.property(indexed, fc.nat(), fc.integer({min: 1, max: 255}), (each, at, by) => {
        const bytes = Buffer.from(entryBytes(each))
        bytes.writeUInt8((bytes[at % bytes.length] ?? 0) ^ by, at % bytes.length)
        const read = readOrCode(bytes)
        outcomes.add(typeof read)
        if (typeof read === 'string') expect(read).toBe('index-invalid')
        else {
          expect(readEntry('x', entryBytes(read))).toEqual(read)
          expect(documentOf(bytes)).toMatchObject(documentOf(entryBytes(read)))
        }
      }),
      {numRuns: 2000, seed: 14},
    )
    expect([...outcomes].sort()).toEqual(['object', 'string'])
  })

  it('can have unknown fields', () => {
    const more = {...entry({signature: {by: 'ci'}}), crds: [{...GEARS, shortNames: ['g']}, SERVERS]}
    expect(readEntry('x', Buffer.from(JSON.stringify(more)))).toEqual(SQL)
  })

  it.each([
    {name: 'nothing', reason: 'it was cut', in: new Uint8Array(), want: [' [index-json]']},
    {name: 'invalid JSON', reason: 'it cannot be read', in: Buffer.from('{'), want: [' [index-json]']},
    {name: 'a list', reason: 'it is an object', in: [], want: [' [index-json]']},
    {name: 'null', reason: 'it is an object', in: null, want: [' [index-json]']},
    {
      name: 'invalid UTF-8',
      reason: 'readers would differ',
      in: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      want: [' [index-json]'],
    },
    {
      name: 'deeply nested brackets',
      reason: 'the stack is limited',
      in: nested(500_000),
      want: [' [index-json]'],
    },
    {
      name: 'more than a mebibyte',
      reason: 'it is held in memory',
      in: entry({more: 'x'.repeat(1024 * 1024)}),
      want: [' [index-size]'],
    },
    {name: 'a yank', reason: 'it is not an entry', in: documentOf(yankBytes(YANK)), want: [value('kind')]},
    {
      name: 'a newer format',
      reason: 'fields can have other meanings',
      in: entry({formatVersion: 2, tag: 1}),
      want: ['formatVersion [index-format]'],
    },
    {
      name: 'no format',
      reason: 'its meaning is unknown',
      in: entry({formatVersion: '1'}),
      want: [value('formatVersion')],
    },
    {
      name: 'fields of other types',
      reason: 'all errors are reported',
      in: {formatVersion: 1, kind: 'PackageEntry', crds: {}, dependsOn: [1], keywords: [null], title: []},
      want: [
        ...['identity', 'tag', 'version', 'permissionScope', 'title', 'category', 'keywords[0]', 'crds'],
        ...['dependsOn[0]', 'dependsOn[0].crd', 'digest'],
      ].map(value),
    },
    ...[
      'library/nginx',
      'docker.io/example/a',
      'REGISTRY.example.org/a',
      'example/a:v1',
      `example/a@sha256:${'0'.repeat(64)}`,
      '../a',
      'a b',
      '',
      `${'a/'.repeat(127)}a`.padEnd(600, 'b'),
    ].map(identity => ({
      name: `the identity ${identity.slice(0, 40)}`,
      reason: 'a package has one name',
      in: entry({identity}),
      want: [value('identity')],
    })),
    ...['', '.v1', '-v1', 'v 1', 'v1/2', 'ü', 'v1\n', 'x'.repeat(129)].map(tag => ({
      name: `the tag ${JSON.stringify(tag.slice(0, 9))}`,
      reason: 'registries do not accept it',
      in: entry({tag}),
      want: [value('tag')],
    })),
    ...['', '1 2', '1\u001b[2J', 'ü', '1'.repeat(129)].map(version => ({
      name: `the version ${JSON.stringify(version.slice(0, 9))}`,
      reason: 'a lock file cannot hold it',
      in: entry({version}),
      want: [value('version')],
    })),
    ...['sha256:0', `sha512:${'0'.repeat(128)}`, `sha256:${'A'.repeat(64)}`, null].map(digest => ({
      name: `the digest ${String(digest).slice(0, 9)}`,
      reason: 'it cannot be pulled',
      in: entry({digest}),
      want: [value('digest')],
    })),
    ...['a\u001b]8;;x', 'a\nb', 'a\u0085b', '\u202egnp', '\u2028', '\ud800', 'x'.repeat(1001)].map(title => ({
      name: `the title ${JSON.stringify(title.slice(0, 9))}`,
      reason: 'it is shown on a terminal',
      in: entry({title}),
      want: [value('title')],
    })),
    {
      name: 'a category of two lines',
      reason: 'as a title',
      in: entry({category: 'a\r\nb'}),
      want: [value('category')],
    },
    {
      name: 'a keyword with a control character',
      reason: 'as a title',
      in: entry({keywords: ['a', '\u0007']}),
      want: [value('keywords[1]')],
    },
    {
      name: 'too many keywords',
      reason: 'lists are bounded',
      in: entry({keywords: Array(501).fill('a')}),
      want: [value('keywords')],
    },
    {
      name: 'too many CRDs',
      reason: 'lists are bounded',
      in: entry({crds: Array(5001).fill({})}),
      want: [value('crds')],
    },
    {
      name: 'too many dependencies',
      reason: 'lists are bounded',
      in: entry({dependsOn: Array(5001).fill({})}),
      want: [value('dependsOn')],
    },
    {
      name: 'another scope',
      reason: 'there are two',
      in: entry({permissionScope: 'cluster'}),
      want: [value('permissionScope')],
    },
    ...(
      [
        {group: '*'},
        {group: 'a..b'},
        {group: 'A.example.org'},
        {group: ''},
        {plural: '*'},
        {plural: 'a.b'},
        {plural: 'x'.repeat(64)},
        {singular: ''},
        {kind: 'a b'},
        {kind: ''},
        {scope: 'Global'},
        {stored: ''},
        {stored: 'v1/2'},
      ] as Json[]
    ).map(change => ({
      name: `a CRD with ${JSON.stringify(change).slice(0, 30)}`,
      reason: 'API servers reject it',
      in: crd(change),
      want: [value(`crds[0].${Object.keys(change).join()}`)],
    })),
    {
      name: 'an invalid served version',
      reason: 'as the stored one',
      in: crd({served: ['v1', 'V2']}),
      want: [value('crds[0].served[1]')],
    },
    {
      name: 'too many versions',
      reason: 'lists are bounded',
      in: crd({served: Array(101).fill('v1')}),
      want: [value('crds[0].served')],
    },
    {
      name: 'a CRD twice',
      reason: 'it is ambiguous',
      in: entry({crds: [GEARS, GEARS]}),
      want: [value('crds[1]')],
    },
    {
      name: 'CRDs out of order',
      reason: 'there is one order',
      in: entry({crds: [SERVERS, GEARS]}),
      want: [value('crds[1]')],
    },
    {
      name: 'an empty dependency',
      reason: 'as unpacking',
      in: entry({dependsOn: [{}]}),
      want: [value('dependsOn[0]'), value('dependsOn[0].crd')],
    },
    {
      name: 'a dependency on a CRD and a package',
      reason: 'as unpacking',
      in: entry({dependsOn: [{crd: 'a.b', package: 'a'}]}),
      want: [value('dependsOn[0]')],
    },
    {
      name: 'a dependency without a resource',
      reason: 'as unpacking',
      in: entry({dependsOn: [{crd: '.a.org'}]}),
      want: [value('dependsOn[0]')],
    },
    {
      name: 'a dependency of two lines',
      reason: 'it is shown',
      in: entry({dependsOn: [{package: 'a\nb'}]}),
      want: [value('dependsOn[0].package')],
    },
    {
      name: 'more than 20 errors',
      reason: 'messages are bounded',
      in: entry({keywords: Array(500).fill(1)}),
      want: Array.from({length: 20}, (_, index) => value(`keywords[${index}]`)),
    },
  ])('with $name is rejected: $reason', async ({in: given, want}) => {
    expect(await faultsIn(readEntry, given)).toEqual(want)
  })

  it('of a newer format is rejected', async () => {
    const bytes = Buffer.from(JSON.stringify(entry({formatVersion: 3})))
    const {diagnostics} = await failure(() => readEntry('x', bytes))
    expect(diagnostics.map(({message}) => message)).toEqual([
      'formatVersion 3 is newer than 1: upgrade kubectl-crossplane',
    ])
  })

  it('puts no control characters into messages', async () => {
    const hostile = entry({dependsOn: [{crd: '.\u001b[2J\u202e'}], tag: '\u001b[2J'})
    const {diagnostics} = await failure(() => readEntry('x', Buffer.from(JSON.stringify(hostile))))
    // eslint-disable-next-line no-control-regex -- they are what must not be there
    expect(diagnostics.filter(({message}) => /[\u0000-\u001f\u202e]/.test(message))).toEqual([])
  })
})

function readOrCode(bytes: Uint8Array): IndexedSummary | string {
  try {
    return readEntry('x', bytes)
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}

describe('a yank', () => {
  const DOCUMENT = documentOf(yankBytes(YANK))

  it('is one line of JSON with sorted keys', () => {
    expect(text(yankBytes(YANK))).toBe(
      `{"digest":"sha256:${'a'.repeat(64)}","formatVersion":1,"identity":"registry.example.org:5000/team/provider-sql","kind":"PackageYank","reason":"it leaks passwords","tag":"v1.2.0","version":"1.2.0"}`,
    )
  })

  it('is read as it was written', () => {
    fc.assert(fc.property(yank, each => expect(readYank('x', yankBytes(each))).toEqual(each)))
  })

  it.each([
    {name: 'nothing', reason: 'it was cut', in: new Uint8Array(), want: [' [index-json]']},
    {name: 'an entry', reason: 'it is not a yank', in: ENTRY, want: [value('kind')]},
    {
      name: 'a newer format',
      reason: 'as an entry',
      in: {...DOCUMENT, formatVersion: 9},
      want: ['formatVersion [index-format]'],
    },
    {name: 'no reason', reason: 'it is printed', in: {...DOCUMENT, reason: ''}, want: [value('reason')]},
    {name: 'two lines', reason: 'it is printed', in: {...DOCUMENT, reason: 'a\nb'}, want: [value('reason')]},
    {
      name: 'a long reason',
      reason: 'it is printed',
      in: {...DOCUMENT, reason: 'x'.repeat(501)},
      want: [value('reason')],
    },
    {
      name: 'fields of other types',
      reason: 'all errors are reported',
      in: {formatVersion: 1, kind: 'PackageYank'},
      want: ['identity', 'tag', 'version', 'digest', 'reason'].map(value),
    },
  ])('with $name is rejected: $reason', async ({in: given, want}) => {
    expect(await faultsIn(readYank, given)).toEqual(want)
  })
})
