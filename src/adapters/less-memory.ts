import {setFlagsFromString} from 'node:v8'

/**
 * Runs work that makes much short-lived data with less memory: until it ends, V8 collects garbage before its heap grows. That
 * takes processor time, and much of it where large buffers pass through, so blobs are not read in it. V8 has options for the
 * size of the heap, but reads them only when the process starts. Calls must not overlap.
 */
export async function withLessMemory<T>(act: () => Promise<T>): Promise<T> {
  setFlagsFromString('--optimize-for-size')
  try {
    return await act()
  } finally {
    setFlagsFromString('--no-optimize-for-size')
  }
}

/** How a process for hours runs with less memory: its work makes few objects at a time, or many of which few stay. */
export type HeapLimit = 'few-objects' | 'slow-growth'

/** Runs this process with less memory from now on. */
export function limitHeap(limit: HeapLimit): void {
  if (limit === 'few-objects') keepFewNewObjects()
  else growSlowly()
}

/**
 * Keeps the part of the heap for new objects as small as it is then, instead of up to 32 MB: for a process that
 * makes few objects at a time, for hours. V8 reads the options whenever it collects. Threads that help to collect so little cost
 * more than they save: while such a process is idle, V8 collects its whole heap every few seconds.
 */
function keepFewNewObjects(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-concurrent-marking')
}

/**
 * Lets the heap grow by 20 percent of what is in use before V8 collects all of it, instead of up to threefold: for a process that
 * makes much of short life in bursts, for hours.
 */
function growSlowly(): void {
  setFlagsFromString('--heap-growing-percent=20')
}
