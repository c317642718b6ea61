import {groupOf} from 'kubectl-crossplane/plugin'

/** Returns a kind with its group, whatever the version. */
export function kindText({apiVersion, kind}: {readonly apiVersion: string; readonly kind: string}): string {
  return `${kind}.${groupOf(apiVersion)}`
}
