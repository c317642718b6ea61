import type {Diagnostic} from '../../../diagnostic.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import type {InstallSet} from '../../../render/install-set.js'
import {escaped, shellWord} from '../../../text.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {type Claim, type DesiredObject, isClaimed} from '../state/desired-object.js'
import {isSameInstall, type RememberedObject} from '../state/ownership.js'

type RememberedObjects = ReadonlyMap<string, readonly RememberedObject[]>

/**
 * Rejects the CRDs that would get a second owner: of an install whose package is another one, and stays. Resolution
 * reports that where it can read both packages; the inventory also shows it of those that no source has.
 */
export function ownedElsewhere(
  {installs}: Pick<InstallSet, 'installs'>,
  desired: readonly DesiredObject[],
  remembered: RememberedObjects,
  {live}: Pick<ClusterSnapshot, 'live'>,
): readonly Diagnostic[] {
  const stays = ({inventory}: RememberedObject) =>
    !installs.some(install => isSameInstall(install, inventory.install))
  return desired
    .filter(({name}) => isCrd(name))
    .flatMap(crd => {
      const others = (remembered.get(crd.key) ?? []).filter(stays)
      const current = live.get(crd.key)
      const claims = crd.claims.filter(claim => current === undefined || !isClaimed(current, claim))
      const [rival] = others.flatMap(other =>
        claims.filter(claim => isRival(claim, other)).map(claim => ({claim, other})),
      )
      return rival === undefined ? [] : [rejection(crd, rival)]
    })
}

function isRival({install}: Claim, {inventory}: RememberedObject): boolean {
  const [own, other] = [install.package?.identity, inventory.install.package?.identity]
  return own !== undefined && other !== undefined && own !== other
}

function rejection(
  {name}: DesiredObject,
  {claim, other}: {readonly claim: Claim; readonly other: RememberedObject},
): Diagnostic {
  const {namespace, name: installName, package: owner} = other.inventory.install
  const id = `${namespace}/${installName}`
  const packages = [claim.install.package?.identity ?? '', owner?.identity ?? ''].map(escaped).join(' and ')
  return {
    severity: 'error',
    rule: 'ownership-conflict',
    message: `${packages} both own ${escaped(name.name)}, and a CRD can have only one owner: ${escaped(id)} is installed`,
    subject: {object: `${name.kind} ${escaped(name.name)}`},
    suggestions: [
      `kubectl crossplane package status ${shellWord(id)}`,
      `To use the other package, uninstall ${escaped(id)} first.`,
    ],
  }
}
