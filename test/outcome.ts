import {CrossplaneError} from '../src/errors.js'

/** What came of something that may fail: its value, or the code of the CrossplaneError. Other errors go on. */
export async function outcome<T>(act: () => Promise<T> | T): Promise<T | string> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}

/** A value that the test knows to be there. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the test expected a value here')
  return value
}
