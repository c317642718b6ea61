import parse from 'semver/functions/parse.js'

/** The largest step of an update: `minor` includes `patch`, and `major` all. */
export const UPDATE_STEPS = ['patch', 'minor', 'major'] as const
export type UpdateStep = (typeof UPDATE_STEPS)[number]

/**
 * Reports whether a version can be reached by a step. Major versions of zero are as any other; of a tag that is no semantic version,
 * no step is known, and only `major` allows it.
 */
export function isWithin(from: string, to: string, step: UpdateStep): boolean {
  if (step === 'major' || from === to) return true
  const [old, next] = [parse(from), parse(to)]
  if (old === null || next === null || old.major !== next.major) return false
  return step === 'minor' || old.minor === next.minor
}
