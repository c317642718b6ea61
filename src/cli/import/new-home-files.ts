import type {Lock} from '../../declaration/lock.js'
import {writeLock} from '../../declaration/write-lock.js'
import {CrossplaneError} from '../../errors.js'
import {type HomeFile, planHomeFiles} from '../../pipeline/home/write-home.js'
import {imageOutputs} from '../wire.js'

/** Plans the files of a new declaration and its lock. Throws `output-refused` if another one exists. */
export async function newHomeFiles(
  path: string,
  lockPath: string,
  {declaration, lock}: {readonly declaration: string; readonly lock: Lock},
): Promise<readonly HomeFile[]> {
  const outputs = await imageOutputs()
  const texts = new Map([
    [path, declaration],
    [lockPath, writeLock(lock)],
  ])
  const files = await planHomeFiles(texts, name => outputs.file(name))
  const [first] = files
  if (first?.before === undefined || first.before === declaration) return files
  throw new CrossplaneError('output-refused', `cannot write ${path}: it exists and differs`, {
    suggestions: ['Pass --declaration with the name of another file, and compare them.'],
  })
}
