import {type BreakId, breakKind, type Link} from './break-kinds.js'
import type {Break, Progress} from './health.js'

/** Creates a break; its link is that of its id unless another is given. */
export function broken(
  id: BreakId,
  {link = breakKind(id).link, ...rest}: Omit<Break, 'kind' | 'id' | 'link'> & {readonly link?: Link},
): Break {
  return {kind: 'break', id, link, ...rest}
}

/** Creates the state that a link waits for. */
export function progress(link: Link, rest: Omit<Progress, 'kind' | 'link'>): Progress {
  return {kind: 'progress', link, ...rest}
}
