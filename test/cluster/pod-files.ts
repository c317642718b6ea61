import {spawnSync} from 'node:child_process'
import {missingTool} from '../missing-tool.js'

/** How a program gets a mount of its own where Pods have the files of their service account: the path is fixed. */
const OWN_MOUNTS = ['--map-root-user', '--mount', 'sh', '-c'] as const
const FOLDER = '/run/secrets/kubernetes.io/serviceaccount'
const MOUNT = `mount -t tmpfs tmpfs /run && mkdir -p ${FOLDER} && mount --bind "$FILES" ${FOLDER} && exec "$@"`

/** States why no program can have the files of a Pod, for `describeReal`; undefined if it can. */
export function missingMounts(): string | undefined {
  const missing = missingTool('kubectl', 'unshare')
  if (missing !== undefined) return missing
  const {status} = spawnSync('unshare', [...OWN_MOUNTS, 'mount -t tmpfs tmpfs /run && test -d /var/run'])
  return status === 0 ? undefined : 'mounts in a user namespace are not permitted'
}

/** A command line that runs another one with the files of a folder as those of its service account. */
export function withPodFiles(command: readonly string[]): readonly [string, ...string[]] {
  return ['unshare', ...OWN_MOUNTS, MOUNT, 'sh', ...command]
}

/** The variables that this needs, and those that every Pod has. */
export function podVariables(files: string, url: string): Readonly<Record<string, string>> {
  const {hostname, port} = new URL(url)
  return {FILES: files, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port}
}
