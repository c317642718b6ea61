/** Reports that nothing has happened for too long. Time counts only while the timer is armed. */
export interface IdleTimer {
  /** Starts or restarts the timer; with another limit, that one applies from now on. */
  arm(milliseconds?: number): void
  disarm(): void
  /** Stops the timer for good. */
  stop(): void
}

/** Creates a timer that is not armed; `expired` gets the milliseconds that have passed. */
export function idleTimer(milliseconds: number, expired: (milliseconds: number) => void): IdleTimer {
  let timer: NodeJS.Timeout | undefined
  let limit = milliseconds
  let stopped = false
  return {
    arm(another = limit) {
      clearTimeout(timer)
      limit = another
      if (!stopped) timer = setTimeout(() => expired(limit), limit)
    },
    disarm() {
      clearTimeout(timer)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
