import type {SolverInput} from '../../src/resolve/solver-input.js'
import {input, version} from './world.js'

const count = (length: number) => Array.from({length}, (_, index) => index)

/** Each pigeon takes any hole, by a version for each; a hole is a CRD, and no two packages may own the same one. */
export function pigeons(birds: number, holes: number): SolverInput {
  const summaries = count(birds).flatMap(bird =>
    count(holes).map(hole =>
      version(`p${bird}:v${hole}.0.0`, {owns: [`hole${hole}.holes.org`, `nest${bird}.nests.org`]}),
    ),
  )
  return input(
    count(birds).map(bird => `p${bird}`),
    summaries,
  )
}

/** Layers of two packages; every version needs both of the next layer as they were at its own version. */
export function diamonds(depth: number, versions: number, {isBroken = false} = {}): SolverInput {
  const sides = ['l', 'r']
  const summaries = count(depth).flatMap(layer =>
    sides.flatMap(side =>
      count(versions).map(index => {
        const isLast = layer === depth - 1
        const isWhole = index === 0 && !isBroken
        const next = sides.map(other => `k.${other}${layer + 1}.org/v${index}`)
        return version(`${side}${layer}:v${index}.0.0`, {
          owns: [`k.${side}${layer}.org/v${index}`],
          requires: isLast ? (isWhole ? [] : [`k.${side === 'l' ? 'r' : 'l'}${layer}.org/none`]) : next,
        })
      }),
    ),
  )
  return input(['l0', 'r0'], summaries)
}

/** One package that needs so many wildcards over so many groups, each owned by a package of three versions. */
export function wildcards(requires: number, groups: number, {isBroken = false} = {}): SolverInput {
  const owners = count(groups).flatMap(group =>
    count(3).map(index =>
      version(`o${group}:v${index}.0.0`, {owns: [`a.g${group}.org/v1`, `b.g${group}.org/v${index}`]}),
    ),
  )
  const requested = count(requires).map(
    requirement =>
      `*.g${requirement % groups}.org/v${isBroken && requirement === requires - 1 ? 9 : requirement % 2}`,
  )
  return input(['app'], [version('app:v1.0.0', {requires: requested}), ...owners])
}

/**
 * 30 packages of six versions, each with 10 wildcards over 40 groups, whose owners serve one version at a time. Each has
 * one version that fits all others, and at another place in its order; broken, the first and last never agree.
 */
export function tangledWildcards({isBroken = false} = {}): SolverInput {
  const owners = count(40).flatMap(group =>
    count(6).map(index => version(`o${group}:v${index}.0.0`, {owns: [`a.g${group}.org/v${index}`]})),
  )
  const requested = (app: number, index: number, group: number) =>
    index === 5 - (app % 5) ? 3 : (index * 7 + app * 3 + group) % 6
  const apps = count(30).flatMap(app =>
    count(6).map(index => {
      const groups = count(10).map(requirement => (app * 10 + requirement) % 40)
      const requires = groups.map(group => `*.g${group}.org/v${requested(app, index, group)}`)
      const never = isBroken && app % 29 === 0 ? [`*.g0.org/v${app === 0 ? 1 : 2}`] : []
      return version(`app${app}:v${index}.0.0`, {requires: [...requires.slice(never.length), ...never]})
    }),
  )
  return input(
    count(30).map(app => `app${app}`),
    [...owners, ...apps],
  )
}

/**
 * So many packages of so many versions, of which so many are needed: each needs the next two of the closure in a version
 * a little older than its own, and every twentieth in one so old that the newest of those who need it do not agree.
 */
export function bigWorld(packages: number, versions: number, closure: number): SolverInput {
  const served = (index: number) => `v${Math.max(0, index - 2)},v${Math.max(0, index - 1)},v${index}`
  const summaries = count(packages).flatMap(place =>
    count(versions).map(index =>
      version(`p${place}:v${index}.0.0`, {
        owns: [`k.g${place}.org/${served(index)}`],
        requires:
          place < closure
            ? [1, 2]
                .filter(step => place + step < closure)
                .map(step => place + step)
                .map(next => `k.g${next}.org/v${Math.max(0, index - (next % 20 === 0 ? 5 : 1))}`)
            : [],
      }),
    ),
  )
  return input(['p0'], summaries)
}
