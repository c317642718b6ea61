import {CrossplaneError} from '../../errors.js'

/**
 * Turns the error of a limit of open files into one that users can fix. Modules of the program are files, too: the limit
 * can be reached before any of its own code runs.
 */
export function outOfFiles(error: unknown): unknown {
  const {code} = Object(error) as {readonly code?: unknown}
  if (code !== 'EMFILE' && code !== 'ENFILE') return error
  return new CrossplaneError('read-failed', 'cannot open a file: too many open files', {
    cause: error,
    suggestions: ['Raise the limit, and run the command again: ulimit -n 1024'],
  })
}
