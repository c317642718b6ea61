import {createHash} from 'node:crypto'
import {asText, type JsonObject} from 'kubectl-crossplane/plugin'
import type {RedisConnection} from './connection.js'
import type {Reply} from './resp.js'

/** The commands of each `access`. Commands that show keys of other users are in none. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  read: ['+@read', '+@connection', '-@dangerous', '-@admin', '-scan', '-randomkey', '-dbsize'],
  readwrite: [
    '+@read',
    '+@write',
    '+@connection',
    '-@dangerous',
    '-@admin',
    '-scan',
    '-randomkey',
    '-dbsize',
  ],
}
/** What precedes the name of a user that exists while one is read; managed resources cannot have such names. */
const SCRATCH = 'crossplane.io/expected/'

/** A user as the server has it. */
export interface AclUser {
  /** SHA-256 in hexadecimal. */
  readonly hashes: readonly string[]
  /** Whether its rules are those that were requested. */
  readonly isAsRequested: boolean
}

/** Returns the hash by which a server knows a password. */
export function hashOf(password: string): string {
  return createHash('sha256').update(password).digest('hex')
}

/** Returns the rules of a user without its passwords. */
export function rulesOf({access, keyPrefix}: JsonObject, name: string): readonly string[] {
  const commands = COMMANDS[asText(access)]
  if (commands === undefined) throw new Error('spec.forProvider.access is not read or readwrite')
  const prefix = typeof keyPrefix === 'string' ? keyPrefix : `${name}:`
  if (!/^[A-Za-z0-9:._-]+$/.test(prefix)) throw new Error('spec.forProvider.keyPrefix has other characters')
  return ['reset', 'on', `~${prefix}*`, ...commands]
}

/**
 * Reads a user. How a server describes rules depends on its version, so it describes those that are requested too: of a user
 * without a password, which is deleted again at once. A transaction is not possible on a server without free memory.
 */
export async function readUser(
  redis: RedisConnection,
  {name, rules}: {readonly name: string; readonly rules: readonly string[]},
  signal: AbortSignal,
): Promise<AclUser | undefined> {
  const scratch = `${SCRATCH}${name}`
  const commands = [
    ['ACL', 'SETUSER', scratch, ...rules],
    ['ACL', 'GETUSER', scratch],
    ['ACL', 'DELUSER', scratch],
    ['ACL', 'GETUSER', name],
  ]
  const [, expected, , actual] = await redis.sendAll(commands, signal)
  if (!Array.isArray(actual)) return undefined
  const [wanted, user] = [fieldsOf(expected), fieldsOf(actual)]
  const hashes = user.passwords
  const isAsRequested = textWithout(wanted) === textWithout(user)
  return {hashes: Array.isArray(hashes) ? hashes.map(String) : [], isAsRequested}
}

/** Creates or replaces a user; connections of it stay open. Passwords are sent as hashes. */
export async function writeUser(
  redis: RedisConnection,
  user: {readonly name: string; readonly rules: readonly string[]; readonly hashes: readonly string[]},
  signal: AbortSignal,
): Promise<void> {
  const hashes = user.hashes.map(hash => `#${hash}`)
  await redis.send(['ACL', 'SETUSER', user.name, ...user.rules, ...hashes], signal)
  await save(redis, signal)
}

/** Deletes a user, if it exists, and closes its connections. */
export async function deleteUser(redis: RedisConnection, name: string, signal: AbortSignal): Promise<void> {
  await redis.send(['ACL', 'DELUSER', name], signal)
  await save(redis, signal)
}

/** Without an ACL file, users are lost when the server restarts, and are created again. */
async function save(redis: RedisConnection, signal: AbortSignal): Promise<void> {
  try {
    await redis.send(['ACL', 'SAVE'], signal)
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('not configured to use an ACL file'))) throw error
  }
}

function fieldsOf(reply: Reply | undefined): Readonly<Record<string, Reply>> {
  const items = Array.isArray(reply) ? (reply as readonly Reply[]) : []
  const pairs = items.flatMap((item, at) =>
    at % 2 === 0 ? [[String(item), items[at + 1] ?? null] as const] : [],
  )
  return Object.fromEntries(pairs)
}

function textWithout({passwords: _passwords, ...rules}: Readonly<Record<string, Reply>>): string {
  return JSON.stringify(rules)
}
