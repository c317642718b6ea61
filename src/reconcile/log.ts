/** What a controller reports about its work. */
export interface LogEntry {
  readonly level: 'info' | 'warning' | 'error'
  /** Can contain text of a server or package, which is untrusted. */
  readonly message: string
  readonly fields?: Readonly<Record<string, string | number>>
}

/** Port: the log of a controller. */
export type Log = (entry: LogEntry) => void
