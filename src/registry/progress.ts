/**
 * How far something is. `name` is a digest or reference; `done` and `total` are bytes, for `retry` the attempts that
 * failed and those there may be. `present` and `mounted` are blobs that the registry had and that nobody uploads. For
 * entries of an index, which is the `name`, `done` and `total` are how many; more may be asked for later.
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

/** Hears of progress; it must not throw. */
export type ReportProgress = (event: ProgressEvent) => void
