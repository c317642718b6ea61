import {spawnSync} from 'node:child_process'

/** The arguments of `unshare` for a PID namespace whose processes end with it. */
export const PID_NAMESPACE = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc']

/** States why this user cannot have PID namespaces, for `describeReal`; undefined if they can. */
export function missingPidNamespaces(): string | undefined {
  const {status} = spawnSync('unshare', [...PID_NAMESPACE, 'true'])
  return status === 0 ? undefined : 'no PID namespaces for this user'
}
