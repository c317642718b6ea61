import {CrossplaneError} from '../../errors.js'
import {type BundleMirrors, declareMirrors} from '../../pipeline/bundle/declare-mirrors.js'
import {inputFiles} from '../files/input-files.js'
import {imageOutputs} from '../wire.js'

/** Adds mirrors to the declaration of a command line. Throws `usage` without one in a file. */
export async function declareMirrorsIn(path: string | undefined, mirrors: BundleMirrors): Promise<void> {
  if (path === undefined || path === '-') {
    throw new CrossplaneError('usage', '--write requires a declaration in a file', {
      suggestions: ['Pass --declaration FILE, or leave out --write.'],
    })
  }
  const outputs = await imageOutputs()
  await declareMirrors(path, await inputFiles.read(path, '--declaration'), mirrors, file =>
    outputs.file(file),
  )
}
