/**
 * Progress of one transfer. `name` is a digest or reference; `done` and `total` are bytes, for `retry` the failed and
 * the allowed attempts. `present` and `mounted` are blobs that need no upload: the registry has them. For entries of an
 * index, `name` is the index, and `done` and `total` count entries; more may be requested later.
 */
export type ProgressEvent =
  | {
      readonly kind: 'manifest' | 'layer' | 'upload' | 'present' | 'mounted'
      readonly name: string
      readonly done: number
      readonly total: number
    }
  | {
      readonly kind: 'entry-read' | 'entry-written'
      readonly name: string
      readonly done: number
      readonly total: number
    }
  | {
      readonly kind: 'retry'
      readonly name: string
      readonly done: number
      readonly total: number
      /** Milliseconds until the next attempt. */
      readonly wait: number
    }

/** Receives progress; must not throw. */
export type ReportProgress = (event: ProgressEvent) => void
