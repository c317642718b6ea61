import {createHash} from 'node:crypto'
import {describe, expect, it} from '@jest/globals'
import {formatImageName, parseImageName} from '../../../src/reference/image-name.js'
import {entryTag, isEntryTag} from '../../../src/index/entry/entry-tag.js'
import {
  groupPartition,
  markedPackage,
  packagePartition,
  partitionIn,
  partitionsOf,
} from '../../../src/index/registry/layout.js'
import {present} from '../../outcome.js'
import {indexed} from './some-index.js'

const ROOT = {registry: 'registry.example.org', path: 'index'}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the repository of a group', () => {
  it('is a repository below the root, or a prefix in it', () => {
    const partition = present(groupPartition('sql.example.org'))
    expect(partition.marker).toBe('group.sql.example.org')
    expect(partitionIn(ROOT, 'repositories', partition)).toMatchObject({
      repository: {registry: 'registry.example.org', path: 'index/sql.example.org'},
      prefix: '',
    })
    expect(partitionIn(ROOT, 'single-repository', partition)).toMatchObject({
      repository: ROOT,
      prefix: `${sha256('sql.example.org').slice(0, 16)}.`,
    })
  })

  it.each([
    {name: 'without a dot', reason: 'names of package repositories have no dot', group: 'org'},
    {name: 'with path segments', reason: 'it becomes part of a URL', group: '../../x.org'},
    {name: 'with a slash', reason: 'it becomes part of a URL', group: 'a/b.org'},
    {name: 'in capitals', reason: 'repository names are lowercase', group: 'A.org'},
    {name: 'that is empty', reason: 'it is the core group', group: ''},
    {
      name: 'of 123 characters',
      reason: 'it does not fit into a tag',
      group: `${'a'.repeat(60)}.${'b'.repeat(62)}`,
    },
  ])('does not exist for a group $name', ({group}) => {
    expect(groupPartition(group)).toBeUndefined()
  })

  it('accepts 122 characters', () => {
    const {marker} = present(groupPartition(`${'a'.repeat(60)}.${'b'.repeat(61)}`))
    expect(parseImageName(`x:${marker}`)?.tag).toBe(marker)
  })

  it('contains versions that own a CRD of exactly that group', () => {
    const summary = indexed('team/sql:v1', {owns: ['tables.sql.org']})
    const holds = ['sql.org', 'org.sql', 'a.sql.org', 'l.org'].map(group =>
      groupPartition(group)?.holds(summary),
    )
    expect(holds).toEqual([true, false, false, false])
  })
})

describe('the repository of a package', () => {
  it.each([
    {identity: 'team/sql', readable: 'sql'},
    {identity: 'registry.example.org:5000/a/b__c.d--e', readable: 'b-c-d-e'},
    {identity: `team/${'x'.repeat(59)}-y`, readable: 'x'.repeat(59)},
    {identity: `team/${'x'.repeat(200)}`, readable: 'x'.repeat(60)},
  ])('of $identity has its last part and a hash as name', ({identity, readable}) => {
    const name = `${readable}-${sha256(identity).slice(0, 40)}`
    const partition = packagePartition(identity)
    expect(partition).toMatchObject({name: `package-${name}`, marker: `package.${name}`})
    const {repository} = partitionIn(ROOT, 'repositories', partition)
    expect(parseImageName(formatImageName(repository))).toEqual(repository)
    expect(markedPackage(partition.marker)).toMatchObject({name: partition.name, marker: partition.marker})
  })

  it('contains only versions of that package', () => {
    const partition = packagePartition('team/sql')
    const held = ['team/sql:v1', 'other/sql:v1'].map(each => partition.holds(indexed(each)))
    expect([held, present(markedPackage(partition.marker)).holds(indexed('team/sql:v2'))]).toEqual([
      [true, false],
      true,
    ])
  })

  it.each(['index', 'group.sql.org', 'package.sql', 'package-sql', `package.../${'0'.repeat(40)}`, 'v1'])(
    'is not what the tag %s lists',
    tag => {
      expect(markedPackage(tag)).toBeUndefined()
    },
  )
})

describe('a version', () => {
  it('is stored once for each of its groups, and once for its package', () => {
    const names = partitionsOf(indexed('team/sql:v1'), ['b.org', 'a.org', 'b.org']).map(({marker}) => marker)
    expect(names).toEqual(['group.a.org', 'group.b.org', packagePartition('team/sql').marker])
  })

  it('has a valid tag in a single repository for names of any length', () => {
    const tag = entryTag(indexed(`team/${'x'.repeat(200)}:${'v'.repeat(128)}`))
    const {prefix} = partitionIn(ROOT, 'single-repository', packagePartition('team/x'))
    expect(isEntryTag(tag)).toBe(true)
    expect(parseImageName(`x:${prefix}${tag}`)?.tag).toBe(`${prefix}${tag}`)
  })
})
