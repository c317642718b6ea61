import type {Question} from '../../src/resolve/question.js'
import {question, version} from './world.js'

const count = (length: number) => Array.from({length}, (_, index) => index)

/** Each pigeon takes any hole, by a version for each; a hole is a CRD, and no two packages may own the same one. */
export function pigeons(birds: number, holes: number): Question {
  const summaries = count(birds).flatMap(bird =>
    count(holes).map(hole =>
      version(`p${bird}:v${hole}.0.0`, {owns: [`hole${hole}.holes.org`, `nest${bird}.nests.org`]}),
    ),
  )
  return question(
    count(birds).map(bird => `p${bird}`),
    summaries,
  )
}

/** Layers of two packages; every version needs both of the next layer as they were at its own version. */
export function diamonds(depth: number, versions: number, {isBroken = false} = {}): Question {
  const sides = ['l', 'r']
  const summaries = count(depth).flatMap(layer =>
    sides.flatMap(side =>
      count(versions).map(index => {
        const isLast = layer === depth - 1
        const isWhole = index === 0 && !isBroken
        const next = sides.map(other => `k.${other}${layer + 1}.org/v${index}`)
        return version(`${side}${layer}:v${index}.0.0`, {
          owns: [`k.${side}${layer}.org/v${index}`],
          needs: isLast ? (isWhole ? [] : [`k.${side === 'l' ? 'r' : 'l'}${layer}.org/none`]) : next,
        })
      }),
    ),
  )
  return question(['l0', 'r0'], summaries)
}

/** One package that needs so many wildcards over so many groups, each owned by a package of three versions. */
export function wildcards(needs: number, groups: number, {isBroken = false} = {}): Question {
  const owners = count(groups).flatMap(group =>
    count(3).map(index =>
      version(`o${group}:v${index}.0.0`, {owns: [`a.g${group}.org/v1`, `b.g${group}.org/v${index}`]}),
    ),
  )
  const requested = count(needs).map(
    need => `*.g${need % groups}.org/v${isBroken && need === needs - 1 ? 9 : need % 2}`,
  )
  return question(['app'], [version('app:v1.0.0', {needs: requested}), ...owners])
}

/**
 * 30 packages of six versions, each with 10 wildcards over 40 groups, whose owners serve one version at a time. Each has
 * one version that fits all others, and at another place in its order; broken, the first and last never agree.
 */
export function tangledWildcards({isBroken = false} = {}): Question {
  const owners = count(40).flatMap(group =>
    count(6).map(index => version(`o${group}:v${index}.0.0`, {owns: [`a.g${group}.org/v${index}`]})),
  )
  const requested = (app: number, index: number, group: number) =>
    index === 5 - (app % 5) ? 3 : (index * 7 + app * 3 + group) % 6
  const apps = count(30).flatMap(app =>
    count(6).map(index => {
      const groups = count(10).map(need => (app * 10 + need) % 40)
      const needs = groups.map(group => `*.g${group}.org/v${requested(app, index, group)}`)
      const never = isBroken && app % 29 === 0 ? [`*.g0.org/v${app === 0 ? 1 : 2}`] : []
      return version(`app${app}:v${index}.0.0`, {needs: [...needs.slice(never.length), ...never]})
    }),
  )
  return question(
    count(30).map(app => `app${app}`),
    [...owners, ...apps],
  )
}

/**
 * So many packages of so many versions, of which so many are needed: each needs the next two of the closure in a version
 * a little older than its own, and every twentieth in one so old that the newest of those who need it do not agree.
 */
export function bigWorld(packages: number, versions: number, closure: number): Question {
  const served = (index: number) => `v${Math.max(0, index - 2)},v${Math.max(0, index - 1)},v${index}`
  const summaries = count(packages).flatMap(place =>
    count(versions).map(index =>
      version(`p${place}:v${index}.0.0`, {
        owns: [`k.g${place}.org/${served(index)}`],
        needs:
          place < closure
            ? [1, 2]
                .filter(step => place + step < closure)
                .map(step => place + step)
                .map(next => `k.g${next}.org/v${Math.max(0, index - (next % 20 === 0 ? 5 : 1))}`)
            : [],
      }),
    ),
  )
  return question(['p0'], summaries)
}
