import {custom} from '@oclif/core/args'

/**
 * A positional argument. Left to itself, oclif takes one that is missing from standard input, and with it what -f is
 * to read, or the rest of the list that a shell loop goes through.
 */
export const argument = custom({ignoreStdin: true})
