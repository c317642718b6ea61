import {custom} from '@oclif/core/args'

/**
 * A positional argument. By default, oclif reads a missing one from standard input, and would consume the input of -f
 * or of a shell loop.
 */
export const argument = custom({ignoreStdin: true})
