import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {type SetDifference, setDifferences} from '../../health/core/set-differences.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectText} from '../../kubernetes/object-key.js'
import {readObjects} from '../../observe/objects/read-live.js'
import type {ImportChoices} from '../../plan/cluster/core/imported-choices.js'
import {type ClusterImages, clusterNameOf} from '../../plan/cluster/core/imported-image-configs.js'
import {rewriteTarget} from '../../plan/cluster/core/unused-image-configs.js'
import {LEFT_TO_CLUSTER} from '../../render/xpkg/named-image-configs.js'
import {kubectlGet} from '../../plan/cluster/objects/object-reasons.js'
import {escaped, listNames, listSome} from '../../text.js'

/** Returns how the objects of a rendered declaration differ from those of a cluster. */
export async function differencesFrom(
  objects: readonly KubernetesObject[],
  api: ClusterApi,
): Promise<readonly SetDifference[]> {
  return setDifferences(objects, await readObjects(objects.map(nameOf), api))
}

/**
 * Returns choices with which a set has what other programs made for it under the names of the cluster, or leaves it to the cluster:
 * activation policies, mirrors and pins.
 * @param isPinning - whether the set has pins, which name mirrors.
 */
export function withoutCreating(
  choices: ImportChoices,
  differences: readonly SetDifference[],
  cluster: ClusterImages,
  isPinning: boolean,
): ImportChoices {
  return differences.reduce<ImportChoices>((all, {object, fields}) => {
    if (object.kind === 'ManagedResourceActivationPolicy') return {...all, activatesNone: true}
    if (object.kind !== 'ImageConfig') return all
    const isMirror = !rewriteTarget(object).includes('@')
    // A pin that exists stays one: that it would change is a finding, and what it leads to is as it was.
    if (fields.length > 0 && !isMirror) return all
    const taken = new Set(Object.values(all.imageConfigs))
    const name = clusterNameOf(object, cluster, other => taken.has(other))
    if (name === undefined) return all
    if (isMirror && name === LEFT_TO_CLUSTER && !isPinning) return {...all, hasMirrors: false}
    return {...all, imageConfigs: {...all.imageConfigs, [object.metadata.name]: name}}
  }, choices)
}

/** Returns what applying the rendered set would still create and change. */
export function differenceFindings(differences: readonly SetDifference[]): readonly Diagnostic[] {
  const textOf = ({object}: SetDifference) => escaped(objectText(nameOf(object)))
  const created = differences.filter(({fields}) => fields.length === 0)
  const changed = differences.filter(({fields}) => fields.length > 0)
  return [
    ...(created.length === 0
      ? []
      : [
          differing(
            `applying the rendered tree creates what the cluster does not have: ${listNames(created.map(textOf))}`,
            'kubectl crossplane package render --output name',
          ),
        ]),
    ...changed.map(one =>
      differing(
        `applying the rendered tree changes ${listSome(one.fields)} of ${textOf(one)}`,
        kubectlGet(nameOf(one.object)),
      ),
    ),
  ]
}

function differing(message: string, suggestion: string): Diagnostic {
  return {severity: 'warning', rule: 'import-differs', message, suggestions: [suggestion]}
}
