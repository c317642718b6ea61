import type {Diagnostic} from '../../diagnostic.js'
import {shellWord} from '../../text.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {isKeptByController, isReplacedByController} from '../../kubernetes/controller-annotations.js'
import {ARGOCD_START, guardedStart} from './tree-guard.js'
import {objectIn} from './object-in-file.js'

/**
 * Returns the risks for a cluster of changing a file from one content to another, or of deleting it.
 * @param folder - the path of the tree, for the commands that are suggested.
 */
export function fileRisks(
  before: string | undefined,
  after: string | undefined,
  folder: string,
): readonly Diagnostic[] {
  if (before === undefined) return []
  if (after === undefined) return deleteRisks(objectIn(before, CRD))
  const start = guardedStart(after)
  return start === undefined ? replaceRisks(before, after) : startRisks(before, start, folder)
}

const CRD = CRD_KIND.kind
const BINDINGS = ['ClusterRoleBinding', 'RoleBinding']

function deleteRisks(crd: JsonObject | undefined): readonly Diagnostic[] {
  if (crd === undefined || isKeptByController(crd)) return []
  const {name} = nameOf(crd)
  return [
    {
      severity: 'warning',
      rule: 'crd-deleted',
      message: `the file of ${CRD} ${name} is deleted: when the CRD is deleted from a cluster, by pruning or by hand, all of its custom resources are deleted with it`,
      subject: {object: `${CRD} ${name}`},
      suggestions: [`kubectl get ${shellWord(name)} --all-namespaces`],
    },
  ]
}

/** The kustomization of a whole tree becomes one that no controller can build. */
function startRisks(before: string, start: string, folder: string): readonly Diagnostic[] {
  if (guardedStart(before) === start) return []
  const path = folder === '' ? start : `${folder}/${start}`
  const isArgoCd = start === ARGOCD_START
  const applier = isArgoCd ? 'an Application' : 'a Kustomization'
  return [
    {
      severity: 'warning',
      rule: 'tree-start-changed',
      message: `the tree is now applied in parts, which ${path} starts: ${applier} that already applies the whole folder fails from the next commit on, and neither applies nor deletes anything`,
      suggestions: isArgoCd
        ? [`If there is one, once this is pushed: kubectl apply --filename ${shellWord(path)}`, DELETE_FORMER]
        : [
            // The GitRepository of the file would replace that of the cluster.
            `If there is one, once this is pushed: sed '1,/^---$/d' ${shellWord(path)} | kubectl apply --filename -`,
          ],
    },
  ]
}

const DELETE_FORMER =
  'Delete the former Application with kubectl delete when the new ones are synced: its objects stay.'

function replaceRisks(before: string, after: string): readonly Diagnostic[] {
  if (!BINDINGS.some(kind => after.includes(`kind: ${kind}`))) return []
  const [old, binding] = [objectIn(before), objectIn(after)]
  if (old === undefined || binding === undefined) return []
  const {kind, namespace, name} = nameOf(binding)
  const isSame = jsonEqual({...nameOf(old)}, {...nameOf(binding)})
  if (!BINDINGS.includes(kind) || !isSame || jsonEqual(old.roleRef, binding.roleRef)) return []
  if (isReplacedByController(binding)) return []
  const shown = namespace === undefined ? name : `${namespace}/${name}`
  const place = namespace === undefined ? '' : ` --namespace ${shellWord(namespace)}`
  return [
    {
      severity: 'warning',
      rule: 'role-ref-changed',
      message: `${kind} ${shown} refers to ${roleOf(binding)} instead of ${roleOf(old)}, and Kubernetes does not allow a roleRef to change: delete the binding right before applying the folder`,
      subject: {object: `${kind} ${shown}`},
      suggestions: [`kubectl delete ${kind.toLowerCase()} ${shellWord(name)}${place} --ignore-not-found`],
    },
  ]
}

function roleOf({roleRef}: JsonObject): string {
  const {kind, name} = asObject(roleRef)
  return `${asText(kind)} ${asText(name)}`
}
