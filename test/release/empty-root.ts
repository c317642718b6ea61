import {cpSync, mkdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {type ProgramResult, runProgram} from '../run-program.js'
import {run} from './made-release.js'

/** Names the program in an empty root. */
const PROGRAM = '/kubectl-crossplane'
const NAMESPACE = ['--user', '--map-root-user', '--mount']
/** Makes all of the folder $0 read-only, and runs a program with the variables before it alone. */
const ENTER = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec env -i "$@"'

/** A root in which there are only a program, the libraries that it links, and files that were put there. */
export interface EmptyRoot {
  /** Copies a file, or a folder, to a path in the root. */
  put(file: string, path: string): void
  /** Runs the program with these variables and an empty PATH. Nothing in the root can be written. */
  run(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<ProgramResult>
}

/** Makes an empty root in a folder. */
export function emptyRoot(folder: string, program: string): EmptyRoot {
  const put = putInto(folder)
  mkdirSync(join(folder, 'home'), {recursive: true})
  put(program, PROGRAM)
  for (const [, library = ''] of run('ldd', [program], '/').matchAll(/(\/\S+) \(0x/g)) put(library, library)
  return {
    put,
    run: async (env, ...args) => {
      const variables = Object.entries({...env, HOME: '/home', PATH: ''}).map(pair => pair.join('='))
      return await enter(folder, {namespace: NAMESPACE, variables, chroot: [], args: [PROGRAM, ...args]})
    },
  }
}

/** Returns what copies files into a root. */
export function putInto(folder: string): EmptyRoot['put'] {
  return (file, path) => {
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    cpSync(file, join(folder, path), {dereference: true, recursive: true})
  }
}

/** Runs a program in a root, in which nothing can be written. */
export async function enter(
  folder: string,
  inside: {
    /** The options of `unshare`. */
    readonly namespace: readonly string[]
    readonly variables: readonly string[]
    /** The options of `chroot`. */
    readonly chroot: readonly string[]
    readonly args: readonly string[]
  },
): Promise<ProgramResult> {
  const chroot = run('sh', ['-c', 'PATH=$PATH:/usr/sbin:/sbin; command -v chroot'], '/').trim()
  const program = [chroot, ...inside.chroot, folder, ...inside.args]
  return await runProgram('unshare', [
    ...inside.namespace,
    'sh',
    '-c',
    ENTER,
    folder,
    ...inside.variables,
    ...program,
  ])
}
