/** What an upgrade does to an object, as the API server does it. The names are an interface, described in docs/impact.md. */
export type Verdict = 'breaks' | 'lost' | 'unserved' | 'meaning' | 'convert' | 'unread'

/** The worst first. */
export const VERDICTS: readonly Verdict[] = ['breaks', 'lost', 'unserved', 'meaning', 'convert', 'unread']
