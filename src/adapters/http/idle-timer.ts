/** Reports that nothing has happened for too long. Time counts only while the timer is armed. */
export interface IdleTimer {
  /** Begins to wait, or begins anew. */
  arm(): void
  disarm(): void
  /** Never waits again. */
  stop(): void
}

export function idleTimer(milliseconds: number, expired: () => void): IdleTimer {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  return {
    arm() {
      clearTimeout(timer)
      if (!stopped) timer = setTimeout(expired, milliseconds)
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
