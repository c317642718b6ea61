import {CrossplaneError} from '../../errors.js'

/** Returns the result of reading something; undefined if it does not exist. */
export async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  }
}
