import {dirname, resolve} from 'node:path'
import type {ConnectionFiles} from '../cluster/kubeconfig/ports.js'
import {CrossplaneError} from '../errors.js'
import {readNamedFile} from './read-named-file.js'

/** A kubeconfig of hundreds of clusters has less than a megabyte. */
const MAX_BYTES = 8 * 1024 * 1024

/** The files of this machine. */
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
}
