import {setFlagsFromString} from 'node:v8'

/** The factor by which the part of the heap for new objects grows, to at most 32 MB; V8 reads it whenever it collects. */
const NEW_OBJECTS_GROWTH = '--semi-space-growth-factor'

/**
 * Runs work that makes much short-lived data with less memory: until it ends, the part of the heap for new objects stays as
 * small as it is. That takes processor time, and much of it where large buffers pass through, so blobs are not read in it.
 * V8 rejects code caches meanwhile, so it should import nothing. Calls must not overlap.
 */
export async function withLessMemory<T>(act: () => Promise<T>): Promise<T> {
  setFlagsFromString(`${NEW_OBJECTS_GROWTH}=1`)
  try {
    return await act()
  } finally {
    // The default: V8 compares all flags that have another value.
    setFlagsFromString(`${NEW_OBJECTS_GROWTH}=2`)
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
  setFlagsFromString(`${NEW_OBJECTS_GROWTH}=1`)
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
