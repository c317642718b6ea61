import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type EmptyRoot, enter, putInto} from './empty-root.js'
import {run} from './made-release.js'

/** What a runtime is told about an image: https://github.com/opencontainers/runtime-spec/blob/v1.2.0/config.md */
interface RuntimeConfig {
  readonly process: {
    readonly args: readonly string[]
    readonly env: readonly string[]
    readonly user: {readonly uid: number; readonly gid: number}
  }
}

/** Unpacks an image of a layout into a new folder, as umoci does it for a runtime; its program runs as the image wants. */
export function imageRoot(layout: string, tag: string, folder: string): EmptyRoot & {readonly path: string} {
  const isRoot = process.getuid?.() === 0
  const options = isRoot ? [] : ['--rootless']
  run('umoci', ['unpack', ...options, '--image', `${layout}:${tag}`, folder], '/')
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as RuntimeConfig
  const {args: entrypoint, env: variables, user} = config.process
  const {uid, gid} = user
  const path = join(folder, 'rootfs')
  // Only root can become another user. Others are that user in a namespace, where they also own the files.
  const as = isRoot
    ? {namespace: ['--mount'], chroot: [`--userspec=${uid}:${gid}`]}
    : {
        namespace: ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--mount', '--keep-caps'],
        chroot: [],
      }
  return {
    path,
    put: putInto(path),
    run: async (env, ...args) =>
      await enter(path, {
        ...as,
        variables: [...variables, ...Object.entries(env).map(pair => pair.join('='))],
        args: [...entrypoint, ...args],
      }),
  }
}
