import type {RetryEvent} from '../http/retry.js'

/**
 * Progress of one transfer. `name` is a digest or reference; `done` and `total` are bytes. `present` and `mounted` are
 * blobs that need no upload: the registry has them. For entries of an index, `name` is the index, and `done` and `total`
 * count entries; more may be requested later.
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
  | RetryEvent

/** Receives progress; must not throw. */
export type ReportProgress = (event: ProgressEvent) => void
