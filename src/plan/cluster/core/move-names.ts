import type {Diagnostic} from '../../../diagnostic.js'
import {requestName} from '../../../reference/named.js'
import {canonicalName} from '../../../reference/repository-name.js'
import {escaped, shellWord} from '../../../text.js'
import {derivedName, nameProblem} from '../../../xpkg/package-name.js'
import {requestText} from './lock/problem-texts.js'
import {type MovedPackage, rejection} from './moved-package.js'
import {type MoveSet, requirersOf} from './move-requirers.js'

/** Says why a package cannot have a name in its new place. */
export function nameRejections(
  {from, to}: MovedPackage,
  {all, requirers, core}: MoveSet,
): readonly Diagnostic[] {
  const problem = nameProblem(to.name)
  if (problem !== undefined)
    return [rejection('xpkg-other-name', `${escaped(to.name)} cannot be the name of a request: ${problem}`)]
  const existing = core.requests.find(({kind, name}) => kind === from.kind && name === to.name)
  if (existing !== undefined)
    return [
      rejection('xpkg-move-exists', `${requestText(existing)} exists`, ['Pass another name: --name NAME']),
    ]
  // With another request of the former repository, Crossplane would soon have it twice.
  const places = new Set([to, from].map(({repository}) => canonicalName(repository)))
  const second = core.requests.find(
    one => places.has(canonicalName(one.repository)) && one.name !== from.name,
  )
  if (second !== undefined)
    return [
      rejection('xpkg-move-exists', `${escaped(second.repository)} is installed, as ${requestText(second)}`, [
        `kubectl crossplane package status ${shellWord(requestName(second))}`,
      ]),
    ]
  const isRequired =
    requirersOf(to.repository, core).length > 0 ||
    [...all.map(one => one.to), ...requirers].some(({requires}) => requires.includes(to.repository))
  const derived = derivedName(to.repository)
  if (!isRequired || to.name === derived) return []
  return [
    rejection(
      'xpkg-other-name',
      `another package requires ${escaped(to.repository)}: under a name other than ${derived}, Crossplane would install it twice at its next upgrade`,
      ['Leave out --name.'],
    ),
  ]
}
