import {CrossplaneError} from '../../src/errors.js'

/** The error that comes of something which has to fail. */
export async function failure(act: () => unknown): Promise<CrossplaneError> {
  try {
    await act()
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
  throw new Error('the test expected a failure here')
}
