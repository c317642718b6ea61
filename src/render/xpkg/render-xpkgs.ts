import type {Diagnostic} from '../../diagnostic.js'
import {compareText} from '../../reference/compare-text.js'
import {checkPin} from './check-pin.js'
import type {Closure} from './closure.js'
import {pinningImageConfig} from './image-config.js'
import {pinnedPackage, requestNames} from './pinned-package.js'
import {requestObject} from './request-object.js'
import {setWarnings} from './set-warnings.js'
import {stagesOf} from './stages.js'
import type {XpkgSet, XpkgSetObject} from './xpkg-set.js'
import type {XpkgSettings} from './xpkg-settings.js'

/**
 * Renders the requests for a package and everything that it requires, under the names that Crossplane would give them, so
 * that it adds none. The same inputs give the same set on every machine. Throws as `checkPin` does.
 * @param conflicts - what keeps Crossplane's resolver from installing the packages together.
 */
export function renderXpkgs(
  closure: Closure,
  settings: XpkgSettings,
  conflicts: readonly Diagnostic[],
): XpkgSet {
  checkPin(closure, settings, conflicts)
  const names = requestNames(closure.packages)
  const stages = stagesOf(closure.packages)
  const pinned = closure.packages.map(selected =>
    pinnedPackage(selected, names.get(selected.repository) ?? '', settings.pin),
  )
  const configs = pinned.flatMap((one): XpkgSetObject[] => {
    if (one.rewrittenTo === undefined) return []
    const target = `${one.selected.repository}@${one.rewrittenTo}`
    return [{stage: 0, object: pinningImageConfig(one, one.name, target), fileName: one.name}]
  })
  const requests = pinned.map(one => ({
    stage: stages.get(one.selected.repository) ?? 1,
    object: requestObject(one, settings),
  }))
  return {
    objects: [...configs, ...requests].sort(inStages),
    warnings: setWarnings(closure, pinned, settings),
  }
}

const KINDS = ['Provider', 'Function', 'Configuration']

function inStages(a: XpkgSetObject, b: XpkgSetObject): number {
  return (
    a.stage - b.stage ||
    KINDS.indexOf(a.object.kind) - KINDS.indexOf(b.object.kind) ||
    compareText(a.object.metadata.name, b.object.metadata.name)
  )
}
