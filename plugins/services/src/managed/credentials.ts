import type {KubernetesObject, ObjectName} from 'kubectl-crossplane/plugin'

/** Reads secrets of providers. */
export interface Credentials {
  /** Returns the secret as it was a few seconds ago at most. */
  read(place: ObjectName): Promise<KubernetesObject | undefined>
  /** Returns the secret as it is: it may have been replaced. */
  renew(place: ObjectName): Promise<KubernetesObject | undefined>
}

/** The ports of credentials. */
export interface CredentialPorts {
  /** Asks the API server. */
  readonly read: (place: ObjectName) => Promise<KubernetesObject | undefined>
  readonly clock: {now(): number}
}

/** Many managed resources of one provider are looked at within that time, in milliseconds. */
const FRESH = 10_000

interface Entry {
  readonly secret: Promise<KubernetesObject | undefined>
  readonly until: number
}

/** Creates a reader by which passes that follow one another share what was read. */
export function sharedCredentials({read, clock}: CredentialPorts): Credentials {
  const entries = new Map<string, Entry>()
  const renew = async (place: ObjectName) => {
    forgetExpired(entries, clock.now())
    const [key, entry] = [keyOf(place), {secret: read(place), until: clock.now() + FRESH}]
    entries.set(key, entry)
    return await entry.secret.catch((error: unknown) => {
      if (entries.get(key) === entry) entries.delete(key)
      throw error
    })
  }
  return {
    renew,
    read: async place => {
      const last = entries.get(keyOf(place))
      return last !== undefined && clock.now() < last.until ? await last.secret : await renew(place)
    },
  }
}

/** A secret that was deleted is never read again, and its content must not stay in memory. */
function forgetExpired(entries: Map<string, Entry>, now: number): void {
  for (const [key, {until}] of entries) if (until <= now) entries.delete(key)
}

function keyOf({namespace = '', name}: ObjectName): string {
  return `${namespace}/${name}`
}
