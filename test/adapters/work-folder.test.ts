import {beforeEach, describe, expect, it} from '@jest/globals'
import {mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {workFolder} from '../../src/adapters/git/work-folder.js'
import {temporaryFolder} from '../temporary-folder.js'

const PREFIX = 'kubectl-crossplane-git-'
const TWO_HOURS = 7_200_000

describe('a work folder', () => {
  const folder = temporaryFolder()
  let parent = ''

  beforeEach(() => {
    parent = mkdtempSync(join(folder, 'tmp-'))
  })

  it('is removed, and says until then whose it is', async () => {
    const work = await workFolder(parent)
    expect(readdirSync(work.path)).toEqual(['owner'])
    await work.remove()
    expect(readdirSync(parent)).toEqual([])
  })

  it('replaces those of processes that were killed, also before they said whose it is', async () => {
    const made = (name: string, age: number, owner?: string) => {
      const path = join(parent, PREFIX + name)
      mkdirSync(path)
      if (owner !== undefined) writeFileSync(join(path, 'owner'), owner)
      const time = new Date(Date.now() - age)
      utimesSync(path, time, time)
    }
    const own = await workFolder(parent)
    made('new', 0)
    made('old', TWO_HOURS)
    made('other', TWO_HOURS, 'of another program')
    const next = await workFolder(parent)
    expect(readdirSync(parent).map(name => join(parent, name))).toEqual(
      [join(parent, `${PREFIX}new`), join(parent, `${PREFIX}other`), own.path, next.path].sort(),
    )
    await next.remove()
    await own.remove()
  })
})
