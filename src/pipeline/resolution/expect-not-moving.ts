import {type Lock, type LockedXpkg, lockedName} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import {moveWays} from '../../plan/cluster/state/move-state.js'
import {escaped} from '../../text.js'

/**
 * Throws `git-refused` for a change of packages that a move hands over: it needs both requests as they are.
 * @param ways - the commands that go on with the move, or back.
 */
export function expectNotMoving(before: Lock | undefined, after: Lock, ways?: readonly string[]): void {
  const changed = before?.moving?.find(({from, to}) => {
    const [was, is] = [requestOf(to, before), requestOf(to, after)]
    const isSame = is !== undefined && VERSION.every(key => was?.[key] === is[key])
    return !isSame || requestOf(from, after) !== undefined
  })
  if (changed === undefined) return
  const message = `cannot change ${escaped(changed.to)}: its move from ${escaped(changed.from)} is not finished`
  throw new CrossplaneError('git-refused', message, {
    suggestions: ways ?? moveWays({record: {...changed, inGit: true}}, false),
  })
}

const VERSION = ['repository', 'tag', 'digest'] as const

function requestOf(name: string, {xpkgs = []}: Lock): LockedXpkg | undefined {
  return xpkgs.find(one => one.kind === 'Provider' && lockedName(one) === name)
}
