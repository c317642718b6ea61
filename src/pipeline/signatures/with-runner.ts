import {CrossplaneError, withSuggestions} from '../../errors.js'
import {escaped} from '../../text.js'

/** Adds to errors about an image what runs it: it is one of many, and the user did not name it. */
export async function withRunner<T>(by: string | undefined, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof CrossplaneError) || by === undefined) throw error
    throw withSuggestions(error, [], `${error.message} (the image is run by ${escaped(by)})`)
  }
}
