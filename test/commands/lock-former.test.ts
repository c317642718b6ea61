import {describe, expect, it} from '@jest/globals'
import {rmSync} from 'node:fs'
import {writeTree} from '../temporary-folder.js'
import {APP_YAML, locked, owner, prefixed, rulesIn} from './locked-world.js'

describe('a package that was built again after it was locked', () => {
  /** The lock has `x/is:v1.0.0`, whose content has changed since. */
  async function rebuilt() {
    const world = await locked()
    const files = {
      ...owner('v1.0.0', 'is', 'v1'),
      'x/is@v2.0.0/.registry/app.yaml': `version: v2.0.0\n${APP_YAML}`,
    }
    writeTree(world.root, prefixed('packages/', files))
    world.edit('- package: x/app', '- package: x/is:v1.0.0\n- package: x/bs', 'wanted.yaml')
    expect(await world.lock()).toMatchObject({status: 0})
    writeTree(world.root, prefixed('packages/', owner('v1.0.0', 'is', 'v2')))
    return world
  }

  it('is not accepted while it is requested', async () => {
    const world = await rebuilt()
    const {status, stderr} = await world.lock()
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 4, rules: ['locked-digest']})
  })

  it.each([
    {
      name: 'its pin moves',
      from: 'x/is:v1.0.0',
      to: 'x/is:v2.0.0',
      tags: {'x/bs': 'v1.0.0', 'x/is': 'v2.0.0'},
    },
    {name: 'its entry is removed', from: '- package: x/is:v1.0.0\n', to: '', tags: {'x/bs': 'v1.0.0'}},
  ])('does not matter once $name', async ({from, to, tags}) => {
    const world = await rebuilt()
    world.edit(from, to, 'wanted.yaml')
    const rendered = await world.render()
    expect({status: rendered.status, rules: rulesIn(rendered.stderr)}).toEqual({
      status: 0,
      rules: ['lock-outdated'],
    })
    expect(await world.lock()).toMatchObject({status: 0})
    expect(world.tags()).toEqual(tags)
  })
})

describe('a locked version that is gone', () => {
  it('cannot be compared with the next one, as a warning says', async () => {
    const world = await locked()
    world.publish()
    rmSync(world.at('packages/x/bs@v1.0.0'), {recursive: true})
    const {status, stderr} = await world.lock('--upgrade', 'x/bs')
    expect({status, rules: rulesIn(stderr)}).toEqual({status: 0, rules: ['crd-unknown']})
    expect(stderr).toContain('x/bs v1.0.0 -> v2.0.0: the CRDs of the former version cannot be read')
  })
})
