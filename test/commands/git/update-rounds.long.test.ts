import {expect, it} from '@jest/globals'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {GitWorlds, type Repository} from './git-world.js'
import {branchesOf, lastName, updateWorlds} from './update-world.js'

/** `UPDATE_ROUNDS` of a soak; `SOAK_SEED` repeats them. */
const ROUNDS = Number(process.env.UPDATE_ROUNDS ?? 5)
const SEED = Number(process.env.SOAK_SEED ?? 564_174)

/** A round has two runs, which a busy machine can slow down. */
const LIMIT = (ROUNDS + 8) * 90_000

const PATHS = ['a', 'b', 'c']

/** A sequence of numbers from 0 to 1, by its seed (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Selects a value by a number from 0 to 1. */
function pickOf<T>(values: readonly T[], number: number): T {
  const value = values[Math.floor(number * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

/** The newest minor version of each package. */
class Versions {
  readonly #minors = new Map<string, number>()

  next(path: string): string {
    const minor = (this.#minors.get(path) ?? 0) + 1
    this.#minors.set(path, minor)
    return `v1.${minor}.0`
  }

  all(): readonly (readonly [path: string, minor: number])[] {
    return [...this.#minors]
  }
}

/** A user who works on branches of updates. */
class Colleague {
  /** The tips that the user pushed, which no run can replace. */
  readonly tips = new Map<string, string>()
  readonly #clone: Repository
  #edits = 0

  constructor(clone: Repository) {
    this.#clone = clone
  }

  commitTo(branch: string, ...how: readonly string[]): void {
    this.#edits += 1
    this.#at(branch)
    this.#clone.write({'README.md': `edit ${this.#edits} of ${branch}\n`})
    this.#clone.git('commit', '--quiet', '--all', ...how)
    this.#push(branch)
  }

  rebase(branch: string): void {
    this.#at(branch)
    const before = this.#clone.git('rev-parse', 'HEAD')
    if (!this.#tried('rebase', '--quiet', 'origin/main')) this.#clone.git('rebase', '--abort')
    if (this.#clone.git('rev-parse', 'HEAD') !== before) this.#push(branch)
  }

  merge(branch: string, isSquashed: boolean): void {
    this.#at('main')
    const how = isSquashed ? ['--squash'] : ['--no-ff', '--no-edit']
    if (!this.#tried('merge', '--quiet', ...how, `origin/${branch}`)) {
      this.#clone.git('reset', '--quiet', '--hard')
      return
    }
    if (isSquashed) this.#clone.git('commit', '--quiet', '--allow-empty', '--message=squashed')
    this.#clone.git('push', '--quiet', 'origin', 'HEAD:main')
  }

  delete(branch: string): void {
    this.#clone.git('push', '--quiet', 'origin', `:${branch}`)
    this.tips.delete(branch)
  }

  #at(branch: string): void {
    this.#clone.git('fetch', '--quiet', '--prune')
    this.#clone.git('checkout', '--quiet', '--detach', `origin/${branch}`)
  }

  #push(branch: string): void {
    this.#clone.git('push', '--quiet', '--force', 'origin', `HEAD:${branch}`)
    if (branch !== 'main') this.tips.set(branch, this.#clone.git('rev-parse', 'HEAD').trim())
  }

  #tried(...args: readonly string[]): boolean {
    try {
      this.#clone.git(...args)
      return true
    } catch {
      return false
    }
  }
}

describeReal('package update beside users', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const world = updateWorlds(worlds)

  it(
    `loses no commit of theirs and converges, in ${ROUNDS} rounds of seed ${SEED}`,
    async () => {
      const next = numbersOf(SEED)
      const pick = <T>(values: readonly T[]) => pickOf(values, next())
      const {publish, name, remote, updates} = world()
      for (const path of PATHS) publish(path, 'v1.0.0')
      const bare = await remote(PATHS.map(path => ({package: `${name(path)}:v1.0.0`})))
      const url = `file://${bare.root}`
      const user = new Colleague(worlds.clone(bare))
      const versions = new Versions()
      const publishNext = (path: string) => publish(path, versions.next(path))
      /** Runs twice: the second one changes nothing. */
      const converged = async () => {
        const {updates: made} = await updates(url)
        expect(made.filter(({status}) => status === 'failed')).toEqual([])
        const branches = made.map(({branch}) => branch)
        expect(new Set(branches).size).toBe(branches.length)
        const moved = made.filter(({status}) => status !== 'removed').flatMap(({packages}) => packages)
        expect(new Set(moved.map(one => one.package)).size).toBe(moved.length)
        for (const [branch, tip] of user.tips)
          expect([branch, bare.git('rev-parse', branch).trim()]).toEqual([branch, tip])
        const refs = bare.git('for-each-ref')
        const again = await updates(url)
        expect(again.updates.filter(({status}) => !['current', 'changed'].includes(status))).toEqual([])
        expect(bare.git('for-each-ref')).toBe(refs)
      }
      const actions: readonly (readonly [string, (branch: string) => void])[] = [
        ['publish', () => publishNext(pick(PATHS))],
        ['main', () => user.commitTo('main', '--message=theirs')],
        ['commit', branch => user.commitTo(branch, '--message=mine')],
        ['amend', branch => user.commitTo(branch, '--amend', '--no-edit')],
        ['rebase', branch => user.rebase(branch)],
        ['merge', branch => user.merge(branch, false)],
        ['squash', branch => user.merge(branch, true)],
        ['delete', branch => user.delete(branch)],
      ]
      for (const path of PATHS) publishNext(path)
      await converged()
      for (let round = 0; round < ROUNDS; round += 1) {
        const [word, act] = pick(actions)
        const branches = branchesOf(bare)
        if (branches.length === 0) publishNext(pick(PATHS))
        else act(pick(branches))
        if (['merge', 'squash'].includes(word)) publishNext(pick(PATHS))
        await converged()
      }
      // The user gives up what is left of theirs, and merges one update after the other.
      for (const branch of user.tips.keys()) user.delete(branch)
      for (let merged = 0; merged <= PATHS.length; merged += 1) {
        await converged()
        const [branch] = branchesOf(bare)
        if (branch !== undefined) user.merge(branch, merged % 2 === 0)
      }
      expect(branchesOf(bare).map(lastName)).toEqual([])
      const lock = bare.git('show', 'main:crossplane-packages.lock')
      for (const [path, minor] of versions.all())
        expect(lock).toMatch(new RegExp(`${name(path)}:[^]*?tag: v1\\.${minor}\\.0`))
    },
    LIMIT,
  )
})
