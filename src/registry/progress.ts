/**
 * How far something is. `name` is a digest or reference; `done` and `total` are bytes, for `retry` the attempts that
 * failed and those there may be. `present` and `mounted` are blobs that the registry had and that nobody uploads.
 */
export type ProgressEvent =
  | {
      readonly kind: 'manifest' | 'layer' | 'upload' | 'present' | 'mounted'
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

/** Hears of progress; it must not throw. */
export type ReportProgress = (event: ProgressEvent) => void
