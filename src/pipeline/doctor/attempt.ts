import {CrossplaneError} from '../../errors.js'

/** Returns the result of `act`, or the failure that a user can act on; throws any other. */
export async function attempt<T>(act: () => Promise<T>): Promise<T | CrossplaneError> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}
