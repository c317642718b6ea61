import {randomUUID} from 'node:crypto'

/** Who may come in. Without a password anyone may read, and with `bearer` has to fetch a token for it all the same. */
export type Demand =
  | {readonly kind: 'open'}
  | {readonly kind: 'basic'; readonly username: string; readonly password: string}
  | {
      readonly kind: 'bearer'
      readonly username?: string
      readonly password?: string
      /** A refresh token that buys access tokens too. */
      readonly identityToken?: string
      /** Requests for which a token is good, in place of a time; endless by default. */
      readonly uses?: number
    }

/** A request as far as its sender has to prove something. */
export interface Visitor {
  readonly authorization: string | undefined
  /** None for the door itself, which opens to every token. */
  readonly scope: string
}

/** Lets visitors in or says what it wants of them, and sells tokens. */
export class Doorkeeper {
  readonly #demand: Demand
  readonly #tokens = new Map<string, {readonly scopes: readonly string[]; uses: number}>()

  constructor(demand: Demand) {
    this.#demand = demand
  }

  /** Sold so far. */
  get tokens(): readonly string[] {
    return [...this.#tokens.keys()]
  }

  /** Undefined to come in, or the challenge. `origin` is where this registry sells its tokens. */
  challenge({authorization, scope}: Visitor, origin: string): string | undefined {
    const demand = this.#demand
    if (demand.kind === 'open') return undefined
    if (demand.kind === 'basic')
      return authorization === basicOf(demand) ? undefined : 'Basic realm="registry"'
    if (this.#spend(authorization?.replace(/^Bearer /, '') ?? '', scope)) return undefined
    const requested = scope === '' ? '' : `,scope="${scope}"`
    return `Bearer realm="${origin}/token",service="registry of tests"${requested}`
  }

  /** Uses a token up a little, if it is good for this. */
  #spend(text: string, scope: string): boolean {
    const token = this.#tokens.get(text)
    if (token === undefined || token.uses === 0) return false
    const isGood = scope === '' || token.scopes.some(had => covers(had, scope))
    if (isGood) token.uses--
    return isGood
  }

  /** The token endpoint: a GET with or without a password, a POST with a refresh token. */
  sell(method: string, query: URLSearchParams, authorization: string | undefined): object | undefined {
    const demand = this.#demand
    if (demand.kind !== 'bearer' || query.get('service') !== 'registry of tests') return undefined
    const isKnown =
      method === 'POST'
        ? query.get('refresh_token') === demand.identityToken
        : isAdmitted(demand, authorization)
    if (!isKnown) return undefined
    const scopes = query.getAll('scope').flatMap(scope => scope.split(' '))
    const token = `token-${randomUUID()}`
    this.#tokens.set(token, {scopes, uses: demand.uses ?? Number.POSITIVE_INFINITY})
    return method === 'POST' ? {access_token: token, expires_in: 300} : {token, expires_in: 300}
  }
}

function isAdmitted(demand: Demand & {readonly kind: 'bearer'}, authorization: string | undefined): boolean {
  const {username, password} = demand
  if (username === undefined || password === undefined) return authorization === undefined
  return authorization === basicOf({username, password})
}

function basicOf({username, password}: {readonly username: string; readonly password: string}): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** `repository:a/b:pull,push` covers `repository:a/b:pull`. */
function covers(had: string, requested: string): boolean {
  const [hadName, hadActions] = divided(had)
  const [name, actions] = divided(requested)
  return name === hadName && actions.every(action => hadActions.includes(action))
}

function divided(scope: string): [name: string, actions: readonly string[]] {
  const at = scope.lastIndexOf(':')
  return [scope.slice(0, at), scope.slice(at + 1).split(',')]
}
