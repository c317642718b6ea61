import {RUNTIME_FLAGS} from './runtime-flags.js'
import type {GivenRuntime} from '../declaration/request-parameters.js'
import type {RuntimeFlags} from './runtime-of-flags.js'
import {inputFiles} from '../files/input-files.js'

/** Adds the runtime that flags and their file give. Throws `usage`, `not-found` and `input-invalid`. */
export async function withRuntime<Flags extends RuntimeFlags>(flags: Flags): Promise<Flags & GivenRuntime> {
  if (RUNTIME_FLAGS.every(name => flags[name] === undefined)) return flags
  const [{runtimeOfFlags}, {readRuntimeFile}, {mergedRuntime}] = await Promise.all([
    import('./runtime-of-flags.js'),
    import('../../declaration/runtime/read-runtime.js'),
    import('../../render/runtime.js'),
  ])
  const own = runtimeOfFlags(flags)
  if (flags.runtime === undefined) return {...flags, givenRuntime: own}
  const {name, bytes} = await inputFiles.read(flags.runtime, '--runtime')
  return {...flags, givenRuntime: mergedRuntime(readRuntimeFile(name, bytes), own)}
}
