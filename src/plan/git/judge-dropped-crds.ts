import type {Diagnostic} from '../../diagnostic.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {present} from '../../present.js'
import {objectKey} from '../../kubernetes/object-key.js'
import {count, plural, shellWord} from '../../text.js'
import type {ClusterSnapshot} from '../cluster/state/cluster-snapshot.js'
import {objectName, someOf} from '../cluster/crds/crd-texts.js'
import {lostInstanceText} from '../cluster/crds/lost-instances.js'
import {unlisted} from '../cluster/uninstall/plan-uninstall.js'
import {notInCluster} from './not-in-cluster.js'

/** A CRD that a tree no longer has, although the install that had it stays. */
export interface DroppedCrd {
  /** The path that its file had. */
  readonly path: string
  readonly name: string
}

/** Rejects dropped CRDs without a cluster: a file does not tell which instances exist. @param checks - how to count these. */
export function droppedCrdRejections(
  dropped: readonly (Pick<DroppedCrd, 'name'> & Partial<DroppedCrd>)[],
  checks: readonly string[],
): readonly Diagnostic[] {
  return dropped.map(({path, name}) => ({
    severity: 'error',
    rule: 'crd-dropped',
    message: `${objectName(name)} is no longer part of the packages, but custom resources can exist`,
    ...present({file: path}),
    subject: {object: objectName(name)},
    suggestions: [
      ...checks,
      `kubectl get ${shellWord(name)} --all-namespaces`,
      'Pass --assume-no-instances if no cluster of this tree has custom resources of it.',
      'Pass --custom-resources=keep to keep them without a controller.',
    ],
  }))
}

/** Judges dropped CRDs by their instances in a cluster; the snapshot has the counts of all. */
export function judgeDroppedCrds(
  dropped: readonly DroppedCrd[],
  snapshot: ClusterSnapshot,
): readonly Diagnostic[] {
  return dropped.flatMap(({path, name}) => {
    const crd = {...CRD_KIND, name}
    const key = objectKey(crd)
    if (!snapshot.live.has(key)) return [notInCluster(objectName(name), path)]
    const {total, first} = snapshot.instances.get(key) ?? {total: 0, first: []}
    if (total === 0) return unlisted(crd, snapshot)
    const names = someOf(first.map(lostInstanceText), total)
    return [
      {
        severity: 'error' as const,
        rule: 'instances-exist',
        message: `${count(total, 'custom resource')} of ${name} would lose ${plural(total, 'its', 'their')} controller: ${names}`,
        file: path,
        subject: {object: `${CRD_KIND.kind} ${name}`},
        suggestions: [
          `kubectl get ${shellWord(name)} --all-namespaces`,
          'Delete the custom resources while the controller still runs, or pass --custom-resources=keep.',
        ],
      },
    ]
  })
}
