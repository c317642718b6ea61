/** Returns a path relative to a folder as one from where the folder's own path starts, with `/` between segments. */
export function pathBeside(folder: string, path: string): string {
  const whole = path.startsWith('/') || folder === '' ? path : `${folder}/${path}`
  return segmentsOf(whole).join('/')
}

/** Returns a path relative to a folder, where both start at the same place. */
export function pathFrom(folder: string, path: string): string {
  const [from, to] = [segmentsOf(folder), segmentsOf(path)]
  const common = from.findIndex((segment, index) => segment !== to[index])
  const shared = common === -1 ? from.length : common
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/')
}

/** An empty first segment is that of an absolute path. */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = path.startsWith('/') ? [''] : []
  for (const segment of path.split('/').filter(text => text !== '' && text !== '.')) {
    if (segment !== '..' || isOutside(segments.at(-1))) segments.push(segment)
    else segments.pop()
  }
  return segments
}

/** Reports whether a path has left all folders that it names. */
function isOutside(last: string | undefined): boolean {
  return last === undefined || last === '..'
}
