import type {FileHandle} from 'node:fs/promises'
import {type FileSystem, type NewFile, realFileSystem} from '../../src/adapters/file-system.js'

/** What happens at one of the calls that change something: `torn` writes half of what is to be written first. */
export type Fate = 'dies' | 'torn' | 'no space'

/** For a process that nothing happens to. */
export const immortal = () => mortalFileSystem(Infinity, 'dies')

/** The real file system for a process that meets its fate at the call of that number, counted from 1. */
export interface MortalFileSystem {
  readonly files: FileSystem
  /** The calls so far that change something: what is done, and the path. */
  readonly calls: readonly (readonly [name: string, path: string])[]
  /** Resolves when the process is dead. From then on no call ever returns, as for a process that was killed. */
  readonly death: Promise<'dead'>
}

export function mortalFileSystem(fatal: number, fate: Fate): MortalFileSystem {
  const calls: [string, string][] = []
  const open = new Set<Pick<FileHandle, 'close'>>()
  let die: (dead: 'dead') => void = () => undefined
  let dead = false
  const death = new Promise<'dead'>(resolve => (die = resolve))
  const never = new Promise<never>(() => undefined)

  async function meet(): Promise<never> {
    if (fate === 'no space') {
      throw Object.assign(new Error('ENOSPC: no space left on device'), {code: 'ENOSPC', syscall: 'write'})
    }
    dead = true
    await Promise.all([...open].map(handle => handle.close()))
    die('dead')
    return never
  }

  /** Lets a call through while the process lives. `half` is what a torn call still does. */
  async function change<T>(
    name: string,
    path: string,
    act: () => Promise<T>,
    half?: () => Promise<unknown>,
  ): Promise<T> {
    if (dead) return never
    calls.push([name, path])
    if (calls.length !== fatal) return act()
    if (fate === 'torn') await half?.()
    return meet()
  }

  async function read<T>(act: () => Promise<T>): Promise<T> {
    return dead ? never : act()
  }

  const sync = (path: string) => change('sync', path, () => Promise.resolve()) // only a machine that loses power could tell
  const close = (handle: Pick<FileHandle, 'close'>) => read(async () => (open.delete(handle), handle.close()))

  function mortalHandle(handle: FileHandle, path: string): FileHandle {
    open.add(handle)
    return {
      read: (...args: Parameters<FileHandle['read']>) => read(() => handle.read(...args)),
      sync: () => sync(path),
      close: () => close(handle),
    } as FileHandle
  }

  function mortalFile(file: NewFile, path: string): NewFile {
    open.add(file)
    return {
      write: text =>
        change(
          'write',
          path,
          () => file.write(text),
          () => file.write(text.slice(0, text.length / 2)),
        ),
      sync: () => sync(path),
      close: () => close(file),
    }
  }

  const real = realFileSystem
  const files = {
    lstat: (path: string) => read(() => real.lstat(path)),
    readdir: (path: string) => read(() => real.readdir(path)),
    mkdir: (path: string, options) => change('mkdir', path, () => real.mkdir(path, options)),
    rename: (from: string, to: string) => change('rename', to, () => real.rename(from, to)),
    rmdir: (path: string) => change('rmdir', path, () => real.rmdir(path)),
    unlink: (path: string) => change('unlink', path, () => real.unlink(path)),
    open: async (path: string, flags) => mortalHandle(await read(() => real.open(path, flags)), path),
    scan: (path, take) => read(() => real.scan(path, take)),
    create: async (path, mode) =>
      mortalFile(await change('create', path, () => real.create(path, mode)), path),
  } as FileSystem
  return {files, calls, death}
}
