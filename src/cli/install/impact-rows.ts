import {instanceFacts} from '../../plan/cluster/crds/lost-instances.js'
import type {CrdImpact, UninstallImpact} from '../../plan/uninstall-impact.js'
import {count, listSome} from '../../text.js'
import type {Row} from '../shell/text/table.js'

/** The impact of an uninstall on users and other installs: dependents, and each CRD with other users and instances. */
export function impactRows({crds, dependents}: UninstallImpact = NONE): Row[] {
  const title = (text: string) => ({text, style: 'bold'}) as const
  return [
    ...dependents.map(({install, crds: required, of}): Row => [
      title('DEPENDENT'),
      install,
      `requires ${listSome(required)} of ${of}`,
    ]),
    ...crds
      .filter(({users}) => users.length > 0)
      .map(({crd, users}): Row => [title('SHARED'), crd, `used by ${listSome(users)}`]),
    ...crds
      .filter(({instances}) => instances > 0)
      .flatMap((crd): Row[] => [
        [
          title('RESOURCES'),
          crd.crd,
          `${count(crd.instances, 'custom resource')} ${crd.instances === 1 ? 'loses its' : 'lose their'} controller`,
        ],
        ...instanceRows(crd),
      ]),
  ]
}

const NONE: UninstallImpact = {crds: [], dependents: []}

function instanceRows({instances, first}: CrdImpact): Row[] {
  const rows = first.map((instance): Row => {
    const {namespace, name} = instance
    return ['', namespace === undefined ? name : `${namespace}/${name}`, instanceFacts(instance)]
  })
  const more = instances - first.length
  return more === 0 ? rows : [...rows, ['', `and ${more} more`, '']]
}
