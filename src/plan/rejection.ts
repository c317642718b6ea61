import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError} from '../errors.js'
import {listSome} from '../text.js'
import type {Plan} from './plan.js'

const MAX_NAMES = 3

/** Names the files and packages that rejections are about, for a headline; without them, their messages. */
export function rejectionPlaces(rejections: readonly Diagnostic[]): string {
  const places = rejections.map(({file, subject, message}) => file ?? subject?.package ?? message)
  return listSome([...new Set(places)], MAX_NAMES)
}

/** Creates an `output-refused` with all rejections of a plan; `object` is the target, such as `the output folder`. */
export function rejected(object: string, rejections: readonly Diagnostic[]): CrossplaneError {
  return new CrossplaneError('output-refused', `cannot write ${object}: ${rejectionPlaces(rejections)}`, {
    diagnostics: rejections.map(({suggestions: _atTheEnd, ...rejection}) => rejection),
    suggestions: [...new Set(rejections.flatMap(({suggestions}) => suggestions ?? []))],
  })
}

/** Throws `output-refused` for a plan that must not be executed. */
export function expectExecutable({rejections}: Plan, object: string): void {
  if (rejections.length > 0) throw rejected(object, rejections)
}
