import {random} from '../shuffled.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'
import {input, version} from './world.js'

/** A small world in which versions differ in what they own, serve and need, so that the newest is often wrong. */
export function randomWorld(seed: number): SolverInput {
  const next = random(seed)
  const below = (count: number) => Math.floor(next() * count)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
  const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 3 + below(3))
  // A few kinds belong to two packages, in some versions.
  const kinds = names.flatMap(name => [
    {name, kind: `${name}s.${name}.org`},
    ...(next() < 0.5 ? [{name, kind: `x${name}.${name}.org`}] : []),
  ])
  const shared = next() < 0.25 ? [{name: pick(names), kind: pick(kinds).kind}] : []
  const requirement = () => {
    const {kind} = pick(kinds)
    const form = next()
    if (form < 0.1) return pick(names)
    const requested = next() < 0.85 ? `/v${1 + below(3)}` : ''
    return form < 0.25 ? `*.${kind.slice(kind.indexOf('.') + 1)}${requested}` : `${kind}${requested}`
  }
  const summaries = names.flatMap(name =>
    Array.from({length: 1 + below(4)}, (_, index) =>
      version(`${name}:v${index}.0.0`, {
        owns: [...kinds, ...shared]
          .filter(each => each.name === name && next() < 0.95)
          .map(({kind}) => `${kind}/${['v1', 'v2', 'v3'].filter(() => next() < 0.6).join(',') || 'v1'}`)
          .filter(
            (each, place, list) =>
              list.findIndex(other => other.split('/')[0] === each.split('/')[0]) === place,
          ),
        requires: Array.from({length: below(3)}, requirement),
      }),
    ),
  )
  const facts =
    next() < 0.2 ? [{origin: 'assumed' as const, group: 'a.org', plural: 'as', served: ['v1']}] : []
  const owners = next() < 0.3 ? [{group: `${pick(names)}.org`, identity: pick(names)}] : []
  const roots = Array.from({length: 1 + below(3)}, () => (next() < 0.5 ? pick(names) : requirement()))
  return input([...new Set(roots)], summaries, {facts, owners})
}

/** A world without a spare: every package has one kind, and every version needs exact versions of several others. */
export function tangledWorld(seed: number): SolverInput {
  const next = random(seed)
  const below = (count: number) => Math.floor(next() * count)
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const summaries = names.flatMap((name, place) =>
    Array.from({length: 4}, (_, index) =>
      version(`${name}:v${index}.0.0`, {
        owns: [`${name}s.${name}.org/v${index},v${(index + 1 + below(2)) % 4}`],
        requires: names
          .slice(place + 1)
          .filter(() => next() < 0.6)
          .map(other => `${other}s.${other}.org/v${below(4)}`),
      }),
    ),
  )
  return input(['a', 'b'], summaries)
}

/** A world in which kinds of one group are owned now by this package, now by that one, and the reader trusts one of them. */
export function movingWorld(seed: number): SolverInput {
  const next = random(seed)
  const below = (count: number) => Math.floor(next() * count)
  const names = ['a', 'b', 'c']
  const owners = names.flatMap(name =>
    Array.from({length: 3}, (_, index) =>
      version(`${name}:v${index}.0.0`, {
        owns: [`own.${name}.org`, ...['k.moving.org', 'l.moving.org'].filter(() => next() < 0.4)],
      }),
    ),
  )
  const requested = ['own.a.org', 'own.b.org', 'own.c.org', 'k.moving.org', 'l.moving.org', '*.moving.org']
  const app = version('app:v1.0.0', {requires: requested.filter(() => next() < 0.6)})
  const rules = next() < 0.9 ? [{group: 'moving.org', identity: names[below(3)] ?? ''}] : []
  return input(['app'], [app, ...owners], {owners: rules})
}
