import {copyFile, realpath, writeFile} from 'node:fs/promises'
import {dirname, resolve} from 'node:path'
import type {ConnectionFiles} from '../cluster/kubeconfig/ports.js'
import {CrossplaneError} from '../errors.js'
import {realFileSystem} from './file-system.js'
import {readNamedFile} from './read-named-file.js'
import {replaceFile} from './replace-file.js'

/** A kubeconfig of hundreds of clusters has less than a megabyte. */
const MAX_BYTES = 8 * 1024 * 1024

/** Returns the files of the local machine. */
export const connectionFiles: ConnectionFiles = {
  async read(path) {
    try {
      return await readNamedFile(path, MAX_BYTES)
    } catch (error) {
      if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
      throw error
    }
  },
  resolve: (file, path) => resolve(dirname(file), path),
  async replaceTexts(path, changes) {
    try {
      const real = await realpath(path)
      const text = Buffer.from(await readNamedFile(real, MAX_BYTES)).toString()
      const isComplete = changes.every(([before]) => before !== '' && text.includes(before))
      if (!isComplete) throw new CrossplaneError('read-failed', 'the file has changed')
      await replaceFile(realFileSystem, real, async unfinished => {
        await copyFile(real, unfinished) // keeps the mode of the file
        await writeFile(
          unfinished,
          changes.reduce((all, [before, after]) => all.replaceAll(before, () => after), text),
        )
      })
    } catch (cause) {
      throw new CrossplaneError('credentials-failed', `cannot store the new tokens in ${path}`, {
        cause,
        suggestions: ['Log in again as your administrator describes.'],
      })
    }
  },
}
