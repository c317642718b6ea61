import {describe, expect, it} from '@jest/globals'
import {crdOf} from '../../../test/commands/locked-xpkgs.js'
import {schemaOf, schemaViolations} from '../../../test/json-schema.js'
import {Homes} from './homes-world.js'

const NAME = 'registry.test/example'
const PIN = (path: string, tag: string) => ({package: `${NAME}/${path}:${tag}`})
const RANGE = (path: string, version: string) => ({package: `${NAME}/${path}`, version})

function homesWith(...paths: readonly string[]): Homes {
  const homes = new Homes()
  for (const path of paths) {
    for (const tag of ['v1.0.0', 'v1.1.0']) homes.publish(`example/${path}`, tag)
  }
  return homes
}

describe('package promote in files', () => {
  it('moves pins, lock and rendered objects, and names what only one home has', async () => {
    const homes = homesWith('sql', 'helm', 'extra', 'own')
    await homes.home('staging', [PIN('sql', 'v1.1.0'), RANGE('helm', '>= v1.0.0'), PIN('extra', 'v1.0.0')])
    await homes.home('production', [PIN('sql', 'v1.0.0'), RANGE('helm', '< v1.1.0'), PIN('own', 'v1.0.0')])
    homes.write({
      'production/crossplane-packages.yaml': homes
        .text('production/crossplane-packages.yaml')
        .replace('< v1.1.0', `'>= v1.0.0'`),
    })
    const {status, stderr} = await homes.promote('staging', 'production')
    if (status !== 0) throw new Error(stderr)
    expect(homes.locked('production')).toEqual({
      [`${NAME}/helm`]: 'v1.1.0',
      [`${NAME}/own`]: 'v1.0.0',
      [`${NAME}/sql`]: 'v1.1.0',
    })
    expect(homes.text('production/crossplane-packages.yaml')).toContain(`${NAME}/sql:v1.1.0`)
    expect(stderr).toContain(`has ${NAME}/extra: not promoted; `)
    expect(stderr).toContain(`does not have ${NAME}/own: not changed [promotion-one-side]`)
    const again = await homes.promote('staging', 'production')
    expect(again).toMatchObject({status: 0, stderr: expect.stringContaining('nothing to change')})
  })

  it('takes what a version newly requires from the same home', async () => {
    const homes = homesWith('helm')
    homes.publish('example/family', 'v1.0.0')
    homes.publish('example/family', 'v2.0.0')
    homes.publish('example/family', 'v2.1.0')
    homes.publish('example/sql', 'v1.0.0')
    homes.publish('example/sql', 'v2.0.0', {requires: {'example/family': '>= v2.0.0'}})
    await homes.home('staging', [PIN('sql', 'v2.0.0'), PIN('family', 'v2.0.0')])
    await homes.home('production', [PIN('sql', 'v1.0.0')])
    const {status} = await homes.promote('staging', 'production', '--only', `${NAME}/sql`, '--quiet')
    expect(status).toBe(0)
    expect(homes.locked('production')).toEqual({[`${NAME}/family`]: 'v2.0.0', [`${NAME}/sql`]: 'v2.0.0'})
  })

  it('stops with the constraint that excludes a version, and writes nothing', async () => {
    const homes = homesWith('sql')
    await homes.home('staging', [PIN('sql', 'v1.1.0')])
    await homes.home('production', [RANGE('sql', '< v1.1.0')])
    const before = homes.text('production/crossplane-packages.lock')
    const {status, stderr} = await homes.promote('staging', 'production')
    expect({status, stderr}).toMatchObject({status: 3})
    expect(stderr).toContain(`cannot promote ${NAME}/sql v1.1.0: the constraints select v1.0.0`)
    expect(stderr).toContain('the declaration requires')
    expect(homes.text('production/crossplane-packages.lock')).toBe(before)
  })

  it('stops for effects on the objects of the home, unless they are accepted', async () => {
    const homes = new Homes()
    homes.publish('example/sql', 'v1.0.0', {crd: crdOf('databases.sql.example.org', ['v1', 'v1beta1'])})
    homes.publish('example/sql', 'v2.0.0', {crd: crdOf('databases.sql.example.org', ['v1'])})
    await homes.home('staging', [PIN('sql', 'v2.0.0')])
    homes.write({
      'objects/db.yaml': 'apiVersion: sql.example.org/v1beta1\nkind: Bucket\nmetadata: {name: db}\n',
    })
    await homes.home('production', [PIN('sql', 'v1.0.0')], {usage: {objects: ['../objects']}})
    const before = homes.text('production/crossplane-packages.lock')
    const stopped = await homes.promote('staging', 'production', '--assume-no-instances')
    expect(stopped).toMatchObject({status: 5, stderr: expect.stringContaining('db.yaml')})
    expect(homes.text('production/crossplane-packages.lock')).toBe(before)
    const accepted = await homes.promote(
      ...(['staging', 'production', '--assume-no-instances', '--accept-impact', '--quiet'] as const),
    )
    expect(accepted).toMatchObject({status: 0})
    expect(homes.text('production/crossplane-packages.lock')).toContain('acceptedImpacts:')
  })

  it('changes nothing in a dry run, and prints the plan, or what it has written, as a document', async () => {
    const homes = homesWith('sql')
    await homes.home('staging', [PIN('sql', 'v1.1.0')])
    await homes.home('production', [PIN('sql', 'v1.0.0')])
    const before = homes.text('production/crossplane-packages.lock')
    const {status, stdout} = await homes.promote('staging', 'production', '--dry-run', '-o', 'json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({kind: 'Plan'})
    expect(schemaViolations(schemaOf('plan'), JSON.parse(stdout))).toEqual([])
    expect(homes.text('production/crossplane-packages.lock')).toBe(before)
    for (const isEmpty of [false, true]) {
      const made = JSON.parse((await homes.promote('staging', 'production', '-o', 'json')).stdout) as {
        readonly paths: readonly string[]
      }
      expect(schemaViolations(schemaOf('promotion'), made)).toEqual([])
      expect(made.paths.length === 0).toBe(isEmpty)
    }
  })

  it.each([
    {
      name: 'a package that FROM lacks',
      args: ['staging', 'production', '--only', 'x/y'],
      want: 'not found in',
    },
    {
      name: 'a folder without a lock',
      args: ['staging/packages', 'production'],
      want: 'crossplane-packages.lock: no such file or directory',
    },
    {
      name: 'a flag that only --next has',
      args: ['staging', 'production', '--cluster-timeout=5s'],
      want: '--cluster-timeout requires --next',
    },
    {name: 'one home', args: ['staging', 'staging'], want: 'to itself'},
  ])('rejects $name', async ({args: [from = '', to = '', ...more], want}) => {
    const homes = homesWith('sql')
    await homes.home('staging', [PIN('sql', 'v1.1.0')])
    await homes.home('production', [PIN('sql', 'v1.0.0')])
    const {status, stderr} = await homes.promote(from, to, ...more)
    expect(status).not.toBe(0)
    expect(stderr).toContain(want)
  })

  it('names a package that FROM lacks and that changes with what is promoted', async () => {
    const homes = new Homes()
    homes.publish('example/base', 'v1.0.0')
    homes.publish('example/base', 'v2.0.0')
    homes.publish('example/sql', 'v1.0.0')
    homes.publish('example/sql', 'v2.0.0', {requires: {'example/base': '>= v2.0.0'}})
    await homes.home('staging', [PIN('sql', 'v2.0.0')])
    const lock = homes.text('staging/crossplane-packages.lock')
    homes.write({
      'staging/crossplane-packages.lock': lock.replace(
        / {2}registry\.test\/example\/base:[^]*?(?= {2}registry)/,
        '',
      ),
    })
    await homes.home('production', [PIN('sql', 'v1.0.0'), RANGE('base', '>= v1.0.0')])
    homes.write({
      'production/crossplane-packages.lock': homes
        .text('production/crossplane-packages.lock')
        .replace('tag: v2.0.0', 'tag: v1.0.0'),
    })
    const {stderr} = await homes.promote('staging', 'production')
    expect(homes.locked('production')).toEqual({[`${NAME}/base`]: 'v2.0.0', [`${NAME}/sql`]: 'v2.0.0'})
    expect(stderr).toContain(`does not have ${NAME}/base, which change with what is promoted`)
    expect(stderr).not.toContain('not changed')
  })
})
